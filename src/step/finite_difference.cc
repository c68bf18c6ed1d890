#include "step/finite_difference.h"

#include <algorithm>
#include <vector>

#include "model/state.h"
#include "step/engine.h"
#include "step/queries.h"

namespace lockstep {
namespace {

constexpr int whole_state = code(State::integration);

// where a step ends, and what it measured
struct Outcome {
  std::vector<double> qpos, qvel, act, sensordata;
};

// a world of its own that starts again and again from one state
class Transition {
 public:
  Transition(const Model& m, const Data& d, double eps, bool centered)
      : m_(m),
        d_(make_data(m)),
        eps_(eps),
        centered_(centered),
        state_(state_size(m, whole_state)) {
    get_state(m, d, whole_state, state_.data());
    restore();
    base_ = step_from(Phase::position);
  }

  // false where a step could not be solved
  bool fill(const TransitionMatrices& result) {
    const int nv = int(m_.nv), na = int(m_.na);
    const Columns by_control{result.b, result.d, m_.nu}, by_state{result.a, result.c, 2 * nv + na};
    for (int u = 0; u < m_.nu && by_control.wanted(); u++) move_control(u, by_control);
    if (!by_state.wanted()) return solved_;
    // what comes late in a step is moved first: the earlier stages keep their results
    for (int i = 0; i < na; i++) {
      move([&](double eps) { d_.act[i] += eps; }, Phase::actuation, by_state, 2 * nv + i);
    }
    for (int i = 0; i < nv; i++) {
      move([&](double eps) { d_.qvel[i] += eps; }, Phase::velocity, by_state, nv + i);
    }
    std::vector<double> direction(size_t(nv), 0.0);
    for (int i = 0; i < nv; i++) {
      direction[i] = 1;
      move([&](double eps) { integrate_pos(m_, d_.qpos, direction.data(), eps); }, Phase::position,
           by_state, i);
      direction[i] = 0;
    }
    return solved_;
  }

 private:
  // a matrix of state changes and one of sensor changes, with the same columns
  struct Columns {
    double *state, *sensors;
    int64_t count;
    bool wanted() const { return state || sensors; }
  };

  void restore() { set_state(m_, d_, whole_state, state_.data()); }

  Outcome step_from(Phase first) {
    if (m_.opt.integrator == code(Integrator::rk4)) {
      step(m_, d_);
    } else {
      run_phases(m_, d_, first, Phase::integration);
    }
    solved_ = solved_ && status_of(m_, d_) == Status::ok;
    return {{d_.qpos, d_.qpos + m_.nq},
            {d_.qvel, d_.qvel + m_.nv},
            {d_.act, d_.act + m_.na},
            {d_.sensordata, d_.sensordata + m_.nsensordata}};
  }

  template <class F>
  Outcome outcome(F&& change, double eps, Phase first) {
    restore();
    change(eps);
    return step_from(first);
  }

  // one column: the difference of two outcomes over that of their arguments
  void put(const Outcome& from, const Outcome& to, double gap, const Columns& columns, int column) {
    if (columns.state) {
      std::vector<double> change(size_t(2 * m_.nv + m_.na));
      differentiate_pos(m_, change.data(), gap, from.qpos.data(), to.qpos.data());
      for (int i = 0; i < m_.nv; i++) change[m_.nv + i] = (to.qvel[i] - from.qvel[i]) / gap;
      for (int i = 0; i < m_.na; i++) change[2 * m_.nv + i] = (to.act[i] - from.act[i]) / gap;
      for (size_t i = 0; i < change.size(); i++) {
        columns.state[int64_t(i) * columns.count + column] = change[i];
      }
    }
    for (int i = 0; columns.sensors && i < m_.nsensordata; i++) {
      columns.sensors[i * columns.count + column] = (to.sensordata[i] - from.sensordata[i]) / gap;
    }
  }

  template <class F>
  void move(F&& change, Phase first, const Columns& columns, int column) {
    const Outcome ahead = outcome(change, eps_, first);
    if (centered_) {
      put(outcome(change, -eps_, first), ahead, 2 * eps_, columns, column);
    } else {
      put(base_, ahead, eps_, columns, column);
    }
  }

  // a control moves only within its range
  void move_control(int u, const Columns& columns) {
    const double value = state_[size_t(state_size(m_, code(State::ctrl) - 1)) + u];
    const auto allowed = [&](double x) {
      return !m_.actuator_ctrllimited[u] ||
             (x >= m_.actuator_ctrlrange[2 * u] && x <= m_.actuator_ctrlrange[2 * u + 1]);
    };
    const auto change = [&](double eps) { d_.ctrl[u] += eps; };
    const bool ahead = allowed(value + eps_);
    const bool back = (centered_ || !ahead) && allowed(value - eps_);
    const Outcome from = back ? outcome(change, -eps_, Phase::actuation) : base_;
    const Outcome to = ahead ? outcome(change, eps_, Phase::actuation) : base_;
    put(from, to, ahead && back ? 2 * eps_ : eps_, columns, u);
  }

  const Model& m_;
  Data d_;
  double eps_;
  bool centered_, solved_ = true;
  std::vector<double> state_;
  Outcome base_;
};

// what inverse dynamics say about one state and acceleration
struct Explained {
  std::vector<double> force, sensordata, inertia;
};

class Inverse {
 public:
  Inverse(const Model& m, const Data& d, double eps, bool actuation)
      : m_(m),
        d_(make_data(m)),
        eps_(eps),
        actuation_(actuation),
        state_(state_size(m, whole_state)) {
    get_state(m, d, whole_state, state_.data());
    qacc_.assign(d.qacc, d.qacc + m.nv);
    restore();
    base_ = explain(Phase::position);
  }

  void fill(const InverseMatrices& result) {
    const int nv = int(m_.nv);
    for (int i = 0; i < nv; i++) {
      move([&] { d_.qacc[i] += eps_; }, Phase::actuation, i,
           {result.force_by_acc, result.sensor_by_acc, nullptr});
    }
    for (int i = 0; i < nv; i++) {
      move([&] { d_.qvel[i] += eps_; }, Phase::velocity, i,
           {result.force_by_vel, result.sensor_by_vel, nullptr});
    }
    std::vector<double> direction(size_t(nv), 0.0);
    for (int i = 0; i < nv; i++) {
      direction[i] = 1;
      move([&] { integrate_pos(m_, d_.qpos, direction.data(), eps_); }, Phase::position, i,
           {result.force_by_pos, result.sensor_by_pos, result.inertia_by_pos});
      direction[i] = 0;
    }
  }

 private:
  struct Rows {
    double *force, *sensors, *inertia;
    bool wanted() const { return force || sensors || inertia; }
  };

  void restore() {
    set_state(m_, d_, whole_state, state_.data());
    std::copy(qacc_.begin(), qacc_.end(), d_.qacc);
  }

  Explained explain(Phase first) {
    inverse(m_, d_, first);
    std::vector<double> force(d_.qfrc_inverse, d_.qfrc_inverse + m_.nv);
    if (actuation_) {
      if (first < Phase::actuation) run_phases(m_, d_, Phase::actuation, Phase::actuation);
      for (int i = 0; i < m_.nv; i++) force[i] -= d_.qfrc_actuator[i];
    }
    return {
        std::move(force), {d_.sensordata, d_.sensordata + m_.nsensordata}, {d_.M, d_.M + m_.nC}};
  }

  void put(double* rows, int row, const std::vector<double>& from, const std::vector<double>& to) {
    if (!rows) return;
    const size_t width = from.size();
    for (size_t i = 0; i < width; i++) rows[size_t(row) * width + i] = (to[i] - from[i]) / eps_;
  }

  template <class F>
  void move(F&& change, Phase first, int row, const Rows& rows) {
    if (!rows.wanted()) return;
    restore();
    change();
    const Explained moved = explain(first);
    put(rows.force, row, base_.force, moved.force);
    put(rows.sensors, row, base_.sensordata, moved.sensordata);
    put(rows.inertia, row, base_.inertia, moved.inertia);
  }

  const Model& m_;
  Data d_;
  double eps_;
  bool actuation_;
  std::vector<double> state_, qacc_;
  Explained base_;
};

}  // namespace

void inverse_fd(const Model& m, const Data& d, double eps, bool actuation,
                const InverseMatrices& result) {
  Inverse(m, d, eps, actuation).fill(result);
}

bool transition_fd(const Model& m, const Data& d, double eps, bool centered,
                   const TransitionMatrices& result) {
  return Transition(m, d, eps, centered).fill(result);
}

}  // namespace lockstep
