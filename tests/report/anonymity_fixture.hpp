// A run that only anonymised: clear data and three set sizes, twenty people, one attacker who is broken. Round numbers
// by hand.
#pragma once

#include "fixture.hpp"

namespace bauta::report {

inline const char* const anonymity_results =
    R"({"schema":2,"bauta":"0.1.0","experiment":{"report":{"title":"Voices"}},"seed":7,
"sweeps":[{"axes":[{"name":"g","values":["8","32","128"]}],
  "techniques":["utility-preserving:g=8,t=0.5","utility-preserving:g=32,t=0.5","utility-preserving:g=128,t=0.5"]},
 {"axes":[{"name":"w","values":["10","100"]},{"name":"g","values":["8","32"]}],
  "techniques":["utility-preserving:g=8,t=0.5","utility-preserving:g=32,t=0.5","utility-preserving:w=100,failed","utility-preserving:g=128,t=0.5"]}],
"cells":[
{"key":{"question":"anonymity","technique":"none","representation":"cepstra"},"status":"done","error":null,"unprotected":true,"values":{"records":400,
 "identities":20,"parameters":null,"utility":{"estimator":"random-forest","value":1.4,"clear":1.4,"attributes":[
  {"attribute":"digit","role":"interest","alpha":1,"classes":10,"chance":0.1,"accuracy":0.95,"ci":[0.94,0.96],"balanced":0.95,
   "clear":{"accuracy":0.95,"ci":[0.94,0.96]},"retrained":null}]},
 "attackers":[{"attacker":"likelihood","question":"identity","informed":true,"candidates":20,"mixture":0.02,"ci":[0.01,0.03],"chance":0.95,
   "top":[],"kl":2.9,"clear":{"mixture":0.02}}],"survives":[],"exact_copies":400}},
{"key":{"question":"anonymity","technique":"utility-preserving:g=8,t=0.5","representation":"cepstra"},"status":"done","error":null,"values":{
 "records":400,"train_records":400,"identities":20,"failures":0,"one_record_per_identity":false,"split":"half and half",
 "parameters":{"g":8,"t":0.5,"w":"10","rq":{"gender":0.1}},
 "utility":{"estimator":"random-forest","value":1.3,"clear":1.4,"attributes":[
  {"attribute":"digit","role":"interest","alpha":1,"classes":10,"chance":0.1,"accuracy":0.9,"ci":[0.88,0.92],"balanced":0.9,
   "clear":{"accuracy":0.95,"ci":[0.94,0.96],"balanced":0.95},"retrained":{"accuracy":0.92,"ci":[0.9,0.94],"balanced":0.92}},
  {"attribute":"gender","role":"additional","alpha":0.5,"classes":2,"chance":0.5,"accuracy":0.8,"ci":[0.78,0.82],"balanced":0.8,
   "clear":{"accuracy":0.9,"ci":[0.88,0.92],"balanced":0.9},"retrained":null}]},
 "attackers":[
  {"attacker":"nearest","question":"identity","informed":false,"text":"Takes the nearest.","candidates":20,"mixture":0.93,"ci":[0.91,0.95],
   "chance":0.95,"top":[{"k":5,"mixture":0.7,"ci":[0.68,0.72],"chance":0.75},{"k":1,"mixture":0.93,"ci":[0.91,0.95],"chance":0.95}],
   "kl":null,"temperature":1,"clear":{"mixture":0.1}},
  {"attacker":"likelihood","question":"identity","informed":true,"text":"Knows the method.","candidates":20,"mixture":0.4,"ci":[0.35,0.45],
   "chance":0.95,"top":[{"k":1,"mixture":0.4,"ci":[0.35,0.45],"chance":0.95},{"k":5,"mixture":0.2,"ci":[0.15,0.25],"chance":0.75}],
   "kl":0.5,"temperature":1,"clear":{"mixture":0.02}},
  {"attacker":"retained","question":"identity","informed":true,"candidates":20,"mixture":0.5,"ci":[0.45,0.55],"chance":0.95,"top":[],
   "kl":0.4,"clear":{"mixture":0.05}},
  {"attacker":"broken","question":"identity","informed":true,"candidates":20,"mixture":0.95,"ci":[0.93,0.97],"chance":0.95,"top":[],
   "kl":0,"clear":{"mixture":0.94}}],
 "survives":[{"question":"identity","claimed":0.93,"attacker_claimed":"nearest","informed":0.4,"attacker":"likelihood","ci":[0.35,0.45],
  "chance":0.95}],
 "worst_record":{"attacker":"likelihood","posterior":0.99,"rank":1,"found_first":0.6},"exact_copies":0}},
{"key":{"question":"anonymity","technique":"utility-preserving:g=32,t=0.5","representation":"cepstra"},"status":"done","error":null,"values":{
 "records":400,"identities":20,"parameters":{"g":32,"t":0.5,"w":"10"},
 "utility":{"estimator":"random-forest","attributes":[{"attribute":"digit","role":"interest","classes":10,"chance":0.1,"accuracy":0.88,
  "ci":[0.86,0.9],"clear":{"accuracy":0.95}}]},
 "attackers":[
  {"attacker":"nearest","question":"identity","informed":false,"candidates":20,"mixture":0.94,"ci":[0.92,0.96],"chance":0.95,
   "top":[{"k":1,"mixture":0.94,"chance":0.95},{"k":5,"mixture":0.74,"chance":0.75}],"clear":{"mixture":0.1}},
  {"attacker":"likelihood","question":"identity","informed":true,"candidates":20,"mixture":0.6,"ci":[0.55,0.65],"chance":0.95,
   "top":[{"k":1,"mixture":0.6,"chance":0.95},{"k":5,"mixture":0.4,"chance":0.75}],"kl":0.25,"clear":{"mixture":0.02}}],
 "survives":[{"question":"identity","claimed":0.94,"attacker_claimed":"nearest","informed":0.6,"attacker":"likelihood","ci":[0.55,0.65],
  "chance":0.95}]}},
{"key":{"question":"anonymity","technique":"utility-preserving:g=128,t=0.5","representation":"cepstra"},"status":"done","error":null,"values":{
 "records":400,"identities":20,"parameters":{"g":128,"t":0.5,"w":"10"},
 "utility":{"estimator":"random-forest","attributes":[{"attribute":"digit","role":"interest","classes":10,"chance":0.1,"accuracy":0.85,
  "ci":[0.83,0.87],"clear":{"accuracy":0.95}}]},
 "attackers":[
  {"attacker":"nearest","question":"identity","informed":false,"candidates":20,"mixture":0.95,"ci":[0.93,0.97],"chance":0.95,
   "top":[{"k":1,"mixture":0.95,"chance":0.95},{"k":5,"mixture":0.75,"chance":0.75}],"clear":{"mixture":0.1}},
  {"attacker":"likelihood","question":"identity","informed":true,"candidates":20,"mixture":0.8,"ci":[0.75,0.85],"chance":0.95,
   "top":[{"k":1,"mixture":0.8,"chance":0.95},{"k":5,"mixture":0.6,"chance":0.75}],"kl":0.125,"clear":{"mixture":0.02}}],
 "survives":[{"question":"identity","claimed":0.95,"attacker_claimed":"nearest","informed":0.8,"attacker":"likelihood","ci":[0.75,0.85],
  "chance":0.95}]}}],
"ranking":[
 {"technique":"utility-preserving:g=8,t=0.5","about":"identity","strongest":{"about":"identity","attacker":"likelihood",
   "measure":"rank-1 rate","unit":"rate","value":0.6,"ci":[0.55,0.65],"chance":0.05,"clear":{"value":0.98},"axes":{"question":"anonymity"}},
  "share":0.579,"corrected":0.6,"ci":[0.55,0.65],"of":4,"healthy":true},
 {"technique":"utility-preserving:g=32,t=0.5","about":"identity","strongest":{"about":"identity","attacker":"likelihood",
   "measure":"rank-1 rate","unit":"rate","value":0.4,"ci":[0.35,0.45],"chance":0.05,"clear":{"value":0.98},"axes":{"question":"anonymity"}},
  "share":0.368,"corrected":0.4,"ci":[0.35,0.45],"of":4,"healthy":true},
 {"technique":"utility-preserving:g=128,t=0.5","about":"identity","strongest":{"about":"identity","attacker":"likelihood",
   "measure":"rank-1 rate","unit":"rate","value":0.2,"ci":[0.15,0.25],"chance":0.05,"clear":{"value":0.98},"axes":{"question":"anonymity"}},
  "share":0.158,"corrected":0.2,"ci":[0.15,0.25],"of":4,"healthy":true}],
"headline":{"technique":"utility-preserving:g=8,t=0.5","about":"identity","strongest":{"about":"identity","attacker":"likelihood",
   "measure":"rank-1 rate","unit":"rate","value":0.6,"ci":[0.55,0.65],"chance":0.05,"clear":{"value":0.98},"axes":{"question":"anonymity"}},
  "share":0.579,"corrected":0.6,"ci":[0.55,0.65],"of":4,"healthy":true}})";

}  // namespace bauta::report
