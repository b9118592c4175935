#include "bauta/core/seal.hpp"

#include <string>

#include "bauta/core/digest.hpp"

namespace bauta {

namespace {

constexpr const char* member = "digest";

std::string digest_under(std::string_view name, const Json& content) {
  Hash hash;
  hash.add(name);
  // What is no UTF-8 is not written either.
  hash.add(content.dump(-1, ' ', false, Json::error_handler_t::replace));
  return hash.hex();
}

}  // namespace

Json sealed(Json content, std::string_view name) {
  content.erase(member);
  std::string digest = digest_under(name, content);
  content[member] = std::move(digest);
  return content;
}

Seal seal_of(const Json& content, std::string_view name) {
  if (!content.is_object() || !content.contains(member)) return Seal::none;
  Json rest = content;
  rest.erase(member);
  return content[member] == digest_under(name, rest) ? Seal::whole : Seal::broken;
}

}  // namespace bauta
