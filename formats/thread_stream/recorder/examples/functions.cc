// Every function of a program without a line in it, but for those of the headers below
// /usr/include:
//   g++ -O1 -g -finstrument-functions -finstrument-functions-exclude-file-list=/usr/include -c
//   functions.cc && gcc -O2 -c tsd.c tsd_functions.c && g++ functions.o tsd.o tsd_functions.o
//   -pthread -o functions && TSD_PATH=functions.tsd ./functions && cinderscope functions.tsd
#include <cstdio>
#include <vector>

struct Node {
  int left = -1, right = -1, value = 0;
};

class Tree {
 public:
  void add(int value) { root_ = add_below(root_, value); }
  long sum() const { return sum_below(root_); }

 private:
  int add_below(int at, int value) {
    if (at < 0) {
      nodes_.push_back({-1, -1, value});
      return static_cast<int>(nodes_.size()) - 1;
    }
    const bool left = value < nodes_[static_cast<unsigned>(at)].value;
    const int below =
        left ? nodes_[static_cast<unsigned>(at)].left : nodes_[static_cast<unsigned>(at)].right;
    const int added = add_below(below, value);
    (left ? nodes_[static_cast<unsigned>(at)].left : nodes_[static_cast<unsigned>(at)].right) =
        added;
    return at;
  }
  long sum_below(int at) const {
    if (at < 0) return 0;
    const Node& node = nodes_[static_cast<unsigned>(at)];
    return node.value + sum_below(node.left) + sum_below(node.right);
  }

  std::vector<Node> nodes_;
  int root_ = -1;
};

int main() {
  Tree tree;
  for (int i = 0; i < 200; ++i) tree.add(i * 7919 % 1000);
  std::printf("%ld\n", tree.sum());
}
