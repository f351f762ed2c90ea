import { RuleError } from './errors.mjs'

/** A bank account as a model: its first state, how events change it, which events a command gives. */
export const account = {
  initial: { status: 'none', balance: 0, limit: 0 },
  apply(state, event) {
    throw new Error('not implemented')
  },
  decide(state, command) {
    throw new Error('not implemented')
  },
}
