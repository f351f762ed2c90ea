-- each run with each of its methods by time, with what changed
select kind, faults, run, created_at, note, method, agent_set, agents, task, sum(columns('^n_')) from trials
group by kind, faults, method, agent_set, agents, task, run, created_at, note order by created_at, run
