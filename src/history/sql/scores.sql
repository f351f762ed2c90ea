-- the scores that auditors gave, by auditor, target and criterion
select kind, faults, method, auditor, target, criterion, task, list(distinct run) as runs, count(*)::double as scores, avg(score) as mean
from scores group by kind, faults, method, auditor, target, criterion, task
