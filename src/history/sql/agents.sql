-- success and cost by method and agents
select kind, faults, method, agent_set, agents, task, list(distinct run) as runs, sum(columns('^n_')) from trials
group by kind, faults, method, agent_set, agents, task
