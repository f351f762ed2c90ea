import { RuleError } from './errors.mjs'

/** A bank account as a model: its first state, how events change it, which events a command gives. */
export const account = {
  initial: { status: 'none', balance: 0, limit: 0 },

  apply(state, event) {
    if (event.type === 'opened') return { ...state, status: 'open', limit: event.limit }
    if (event.type === 'deposited') return { ...state, balance: state.balance + event.amount }
    if (event.type === 'withdrawn') return { ...state, balance: state.balance - event.amount }
    if (event.type === 'closed') return { ...state, status: 'closed' }
    return state
  },

  decide(state, command) {
    if (!Object.hasOwn(rules, command.type)) throw new RuleError('unknown-command')
    return rules[command.type](state, command)
  },
}

const rules = {
  open({ status }, { limit }) {
    deny('already-open', status !== 'none')
    deny('bad-amount', !Number.isInteger(limit) || limit < 0)
    return [{ type: 'opened', limit }]
  },
  deposit({ status }, { amount }) {
    deny('not-open', status !== 'open')
    deny('bad-amount', !Number.isInteger(amount) || amount <= 0)
    return [{ type: 'deposited', amount }]
  },
  withdraw({ status, balance, limit }, { amount }) {
    deny('not-open', status !== 'open')
    deny('bad-amount', !Number.isInteger(amount) || amount <= 0)
    deny('over-limit', balance - amount < -limit)
    return [{ type: 'withdrawn', amount }]
  },
  close({ status, balance }) {
    deny('not-open', status !== 'open')
    deny('in-debt', balance < 0)
    const payout = balance > 0 ? [{ type: 'withdrawn', amount: balance }] : []
    return [...payout, { type: 'closed' }]
  },
}

function deny(rule, broken) {
  if (broken) throw new RuleError(rule)
}
