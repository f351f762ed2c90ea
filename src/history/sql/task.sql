-- the runs of one task by time, with what changed (--note): bench history task TASK
select kind, faults, method, agent_set, agents, task, run, created_at, note, sum(columns('^n_')) from trials
where regexp_replace(task, '@[0-9a-f]{8}$', '') = $task
group by kind, faults, method, agent_set, agents, task, run, created_at, note order by created_at, run
