// What a call of the calls list is called, as the product does it.
#pragma once

#include <string>
#include <string_view>

namespace cinderscope::qubership {

// The values of a call's parameters that its title is made of; empty where there is none.
struct TitleParts {
  std::string title;  // profiler.title, of older agents
  std::string method, url, query, client;
};

// "GET /orders/2, client: 10.0.0.7"; empty if the parts say nothing.
std::string call_title(const TitleParts& parts);

// "http://localhost:8080/orders/2" without the server: "/orders/2".
std::string_view path_of_url(std::string_view url);

}  // namespace cinderscope::qubership
