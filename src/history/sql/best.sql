-- success and cost of the agents that had a role, or worked in a state
with t as materialized (select * exclude (note, agents, suite, claimed, week) from trials),
visits as (select run, trial, unnest(state.machine.visits) as visit from t where state.machine is not null),
states as (select distinct run, trial, visit.state as state, w.work.agent as role from visits, unnest(visit.runs) as w(work)),
placed as (
  select t.*, r.role as place, r.agent from t join roles r using (run, method, agent_set)
  union all
  select t.*, 'state ' || s.state, r.agent from t join states s using (run, trial) join roles r using (run, method, agent_set, role)
)
select kind, faults, method, place, agent, task, list(distinct run) as runs, sum(columns('^n_')) from placed
group by kind, faults, method, place, agent, task
