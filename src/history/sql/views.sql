-- One row for each trial. The columns n_ are what a report sums over trials, under its own names.
create or replace view trials as
with told as (
  select run, created_at, kind, note, faults, method, agents, coalesce(agentSet, first_set, '') as agent_set,
    coalesce(v.name, r.task) as task, suite, trial, epoch, outcome.status as status, claimed, passed, score, durationMs as duration_ms,
    iterations, if(kind = 'imported', coalesce(try_cast(wall.startedAt as timestamp), created_at), created_at) as dated_at, state, spent,
    outcome.status not in ('error', 'cancelled') as ended,
    case when spent.unreportedCost > 0 then null when spent.costUsd is null and spent.calls = 0 then 0 else spent.costUsd end as cost_usd
  from records r join runs using (file) left join task_versions v using (plan, task)
)
select * exclude (ended, spent), date_trunc('week', dated_at)::date::varchar as week, spent.input as input, spent.output as output,
  1::double as n_run, (not ended)::int::double as n_missing, ended::int::double as n_ended,
  (ended and passed is not null)::int::double as n_graded, (ended and coalesce(passed, false))::int::double as n_passed,
  (ended and passed is not null and score is not null)::int::double as n_scored,
  if(ended and passed is not null, coalesce(score, 0), 0) as n_score,
  if(ended, spent.input, 0) as n_input, if(ended, spent.output, 0) as n_output, if(ended, iterations, 0) as n_iterations,
  if(ended, coalesce(spent.costUsd, 0), 0) as "n_costUsd",
  if(ended and passed is not null, coalesce(spent.costUsd, 0), 0) as "n_gradedCost",
  (ended and passed is not null and cost_usd is not null)::int::double as "n_pricedTrials",
  if(ended and passed is not null, coalesce(cost_usd, 0), 0) as "n_pricedCost",
  (ended and coalesce(passed, false) and cost_usd is not null)::int::double as "n_pricedPassed",
  (status = 'error')::int::double as n_error, (status = 'cancelled')::int::double as n_cancelled,
  coalesce(spent.costUsd, 0) as n_bill, (cost_usd is null)::int::double as "n_billPartly",
  (coalesce(cost_usd, spent.costUsd) is not null)::int::double as "n_billKnown", spent.calls as "n_calls",
  (ended and cost_usd is null)::int::double as "n_costUnknown", (ended and spent.unreportedTokens > 0)::int::double as "n_tokensUnknown"
from told;

-- One row for each score that an auditor gave for a criterion of an output.
create or replace view scores as
select run, created_at, kind, faults, method, agent_set, agents, task, trial, given.auditor as auditor, given.target as target,
  given.criterion as criterion, given.score as score
from (select *, unnest(state.machine.scores) as given from trials where state.machine is not null) t;
