-- cost and tokens by agent and role, from the ledgers
with t as materialized (
  select run, trial, kind, faults, task, n_bill, "n_billPartly", input, output, n_calls,
    if(json_type(agents) = 'VARCHAR', agents ->> '$', '') as agent
  from trials
), asked as materialized (
  select run, trial, agent, role, count(*)::double as calls, sum(coalesce("costUsd", 0)) as cost_usd,
    count(*) filter ("costUsd" is null)::double as unknown, sum(coalesce(tokens.input, 0)) as input, sum(coalesce(tokens.output, 0)) as output
  from steps where kind = 'ask' and payer = 'method' group by run, trial, agent, role
), whole as (
  select run, trial from t join asked using (run, trial) group by run, trial, n_bill
  having abs(sum(cost_usd) - n_bill) <= 1e-6 * n_bill + 1e-12
), told as (
  select t.run, t.trial, kind, faults, task, a.agent, role, calls, cost_usd, unknown, a.input, a.output
  from t join whole using (run, trial) join asked a using (run, trial)
  union all
  -- The ledger is not there, or does not fit the record: then the record has the bill.
  select t.run, t.trial, kind, faults, task, agent, '', n_calls, n_bill, "n_billPartly", input, output
  from t anti join whole using (run, trial) where n_calls > 0 or n_bill > 0
)
select kind, faults, agent, role, task, list(distinct run) as runs, count(distinct (run, trial))::double as trials, sum(calls) as calls,
  sum(cost_usd) as cost_usd, sum(unknown) as unknown, sum(input) as input, sum(output) as output
from told group by kind, faults, agent, role, task
