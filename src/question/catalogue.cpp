// Every question, one line each, in the order in which they are asked.
#include "bauta/question/question.hpp"

namespace bauta {

std::unique_ptr<Question> verification_question();
std::unique_ptr<Question> unlinkability_question();
std::unique_ptr<Question> similarity_question();
std::unique_ptr<Question> decisions_question();
std::unique_ptr<Question> estimate_question();
std::unique_ptr<Question> online_question();
std::unique_ptr<Question> recovery_question();
std::unique_ptr<Question> identification_question();
std::unique_ptr<Question> open_set_question();
std::unique_ptr<Question> linkage_question();
std::unique_ptr<Question> utility_question();
std::unique_ptr<Question> cost_question();
std::unique_ptr<Question> composition_question();

const std::vector<std::unique_ptr<Question>>& questions() {
  static const auto catalogue = [] {
    std::vector<std::unique_ptr<Question>> all;
    all.push_back(verification_question());
    all.push_back(unlinkability_question());
    all.push_back(similarity_question());
    all.push_back(decisions_question());
    all.push_back(estimate_question());
    all.push_back(online_question());
    all.push_back(recovery_question());
    all.push_back(identification_question());
    all.push_back(open_set_question());
    all.push_back(linkage_question());
    all.push_back(utility_question());
    all.push_back(cost_question());
    all.push_back(composition_question());
    return all;
  }();
  return catalogue;
}

}  // namespace bauta
