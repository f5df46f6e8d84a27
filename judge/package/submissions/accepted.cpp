// Wins from every start: by symmetry if a first move can leave two equal halves, else by Grundy numbers in quadratic
// time.
#include <iostream>
#include <set>
#include <utility>
#include <vector>

using namespace std;

// The free segments, each as its first card and its length.
set<pair<int, int>> row;

void take(int x, int y) {
    auto found = prev(row.upper_bound({x, 1 << 20}));
    const auto [first, length] = *found;
    row.erase(found);
    if (x > first) row.insert({first, x - first});
    if (x + y < first + length) row.insert({x + y, first + length - x - y});
}

// Takes the y cards from x on, and reads the judge's move u v. Returns false when the game is over.
bool play(int x, int y, int &u, int &v) {
    cout << x << " " << y << endl;
    return cin >> u >> v && u > 0;
}

void mirror(int n, int middle) {
    int x = (n - middle) / 2 + 1, y = middle, u, v;
    while (play(x, y, u, v)) {
        x = n + 2 - u - v;
        y = v;
    }
}

// All moves take l cards.
void by_grundy(int n, int l) {
    vector<int> grundy(n + 1);
    for (int k = l; k <= n; k++) {
        vector<bool> seen(n + 1);
        for (int u = 0; u <= k - l; u++) seen[grundy[u] ^ grundy[k - l - u]] = true;
        while (seen[grundy[k]]) grundy[k]++;
    }
    row.insert({1, n});
    int u, v;
    if (grundy[n] == 0) {
        cout << "Second" << endl;
        cin >> u >> v;
        take(u, v);
    } else {
        cout << "First" << endl;
    }
    while (true) {
        int total = 0, x = 0;
        for (auto [first, length] : row) total ^= grundy[length];
        for (auto [first, length] : row)
            for (int left = 0; left + l <= length && x == 0; left++)
                if ((total ^ grundy[length] ^ grundy[left] ^ grundy[length - l - left]) == 0) x = first + left;
        take(x, l);
        if (!play(x, l, u, v)) return;
        take(u, v);
    }
}

int main() {
    int n, l, r;
    cin >> n >> l >> r;
    const int middle = (n - l) % 2 == 0 ? l : l + 1;
    if (middle <= r) {
        cout << "First" << endl;
        mirror(n, middle);
    } else {
        by_grundy(n, l);
    }
}
