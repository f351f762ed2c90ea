-- success and cost by week, method and agents
select kind, faults, method, agent_set, agents, week, task, list(distinct run) as runs, sum(columns('^n_')) from trials
group by kind, faults, method, agent_set, agents, week, task order by week
