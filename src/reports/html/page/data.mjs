import { byId } from './dom.mjs'

/** The run's name as a word of a shell, its methods in the order of the verdict, the place of the baseline, and its trials. */
export const { run, rows: methods, baseline, trials } = JSON.parse(byId('data').textContent)

/** Returns the method of a trial, with its set of agents if the run has several. */
export const methodOf = (trial) => trial.row ?? trial.method
