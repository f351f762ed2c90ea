import { evidence } from './evidence.ts'

/** Reasons why a number is not given, as reports print them. */
export const refusals = {
  'no-task': 'no task has a value',
  'one-task': 'one task allows no inference about other tasks',
  'one-task-decides': 'one task holds all successes of a method: without it there is no ratio',
  'one-task-costs': 'one task holds all costs of a method: without it there is no ratio',
  'too-few-tasks': 'too few tasks for a test: fewer than 6',
  'too-few-clusters': 'too few clusters of tasks for a test: fewer than 6',
  'few-for-limits': 'too few tasks for limits at this level',
  'one-epoch': 'one epoch: the variation within a task is unknown',
  'too-few-trials': 'a task has fewer trials than requested',
  'no-spread': 'all tasks have the same value: there is no variation to estimate from',
  'one-method-leads': 'one method leads in every group, wherever the choice was tried',
  'not-separated': 'no task separated them',
  'zero-baseline': 'the baseline is 0: there is no ratio',
  'not-positive': 'a value is 0 or below: it has no logarithm',
  'no-success': 'nothing was solved',
  'unreported-cost': 'some calls have no known cost, so the true cost may be higher',
  'unclear-denominator': 'the interval of the baseline includes 0: the ratio has no bounded interval',
  'same-rates': 'the two rates are equal: no number of tasks can separate them',
  'beyond-range': 'these tasks do not find even a difference of 100 points with this power',
  'tasks-not-epochs': 'no number of epochs is enough on so few tasks',
  'not-yet': 'too few finished tasks for an interim look',
  'too-many-values': 'too many values for the exact calculation',
  simulated: `${evidence.simulated.name} numbers are not tested`,
  looked:
    'trials were added after a look at the results: tests and intervals for a fixed number of tasks are void',
  unfinished: 'the run is not finished, and no limit stopped it: tests for a fixed number of tasks are void',
  'stop-rule': 'the stop rule looks after every task: its sequence replaces this test',
  'not-in-family': 'this pair is not in the family that was fixed before the run',
  'missing-decides': 'no result holds with the missing trials counted against it',
  'not-by-cluster': 'tasks of one cluster are alike, and this is not tested by cluster',
  'no-margin': 'no margin was set before the run',
  'outside-replicates': 'the estimate lies outside its replicates, or all replicates are equal',
} as const
/** A reason why a number is not given. */
export type Refusal = keyof typeof refusals
