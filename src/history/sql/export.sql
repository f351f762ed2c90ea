-- every trial, as CSV
select kind, run, created_at, note, suite, task, method, agent_set, if(json_type(agents) = 'VARCHAR', agents ->> '$', agents::varchar) as agents, epoch::bigint as epoch, status, claimed, passed, score, cost_usd, input::bigint as input, output::bigint as output,
  iterations::bigint as iterations, duration_ms, dated_at, faults, trial
from trials order by created_at, run, task, method, agent_set, epoch
