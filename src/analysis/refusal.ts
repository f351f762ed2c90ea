/** Why a number is not given, in the words that a report prints. */
export const refusals = {
  'no-task': 'no task has a value',
  'one-task': 'one task: no inference about tasks',
  'one-task-decides': 'one task holds all successes of a method: nothing is known without it',
  'too-few-tasks': 'too few tasks for a test: fewer than 6',
  'one-epoch': 'one epoch: no variation within a task is known',
  'too-few-trials': 'a task has fewer trials than asked for',
  'no-spread': 'all tasks are the same: no variation to judge by',
  'no-difference': 'no task separated them',
  'zero-baseline': 'the baseline is 0: there is no ratio',
  'not-positive': 'a value is 0 or below: it has no logarithm',
  'no-success': 'nothing was solved',
  'unclear-denominator': 'the baseline is not clear of 0: the ratio has no bounded interval',
  'same-rates': 'the two rates are equal: no number of tasks tells them apart',
  'tasks-not-epochs': 'no number of epochs is enough on so few tasks',
  'not-yet': 'too few finished tasks for a look',
  'too-many-values': 'too many values for the exact calculation',
  simulated: 'simulated: made-up numbers allow no test',
  looked:
    'trials were added after a look at the results: tests and intervals for a fixed number of tasks are void',
  unfinished: 'the plan is not whole, and no limit stopped it: tests for a fixed number of tasks are void',
  'stop-rule': 'looked at after every task under a rule: the sequence stands instead',
  'not-in-family': 'the family that was fixed before the run does not hold this pair',
  'no-margin': 'no margin was fixed beforehand',
  'outside-replicates': 'the estimate lies outside its replicates, or they are all the same',
} as const
export type Refusal = keyof typeof refusals
