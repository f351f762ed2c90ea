-- all runs of each week together
select kind, faults, week, task, list(distinct run) as runs, sum(columns('^n_')) from trials
group by kind, faults, week, task order by week
