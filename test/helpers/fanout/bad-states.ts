import { added, type BadMachine, bad, state } from './bad-machine.ts'
import { machineParts, machineText } from './machines.ts'

/** Mistakes of states and transitions. */
export const states: Readonly<Record<string, BadMachine>> = {
  'no initial state': {
    text: machineText({ start: '' }),
    says: ['15:1 states: has no initial state'],
  },
  'two initial states': added(
    '  again: { type: initial, next: draft }',
    '50:12 states.again.type: is a second initial state,',
  ),
  'no states': {
    text: machineText({
      ...{ states: 'states: {}', start: '', draft: '', check: '', audit: '' },
      ...{ combine: '', approve: '', complete: '', halt: '' },
    }),
    says: ['15:1 states: has no initial state', '15:1 states: has no terminal state, so'],
  },
  'only failed ends': bad(
    'complete',
    'type: terminal,',
    'type: terminal, error: true,',
    '48:31 states.complete.error: is true for every terminal',
  ),
  'an unreachable state': added(
    `${state('lost', 'more')}\n${state('more', 'complete')}`,
    '50:3 states.lost: cannot be reached: no state',
  ),
  'two unreachable states': added(
    `${state('lost', 'halt')}\n${state('more', 'halt')}`,
    '50:3 states.lost: cannot be reached: no state',
    '51:3 states.more: cannot be reached: no state',
  ),
  'states without an end': {
    text: machineText({
      start:
        '  start: { type: initial, next: fork }\n  fork: { type: human-approval, transitions: { approved: draft, feedback: a, abort: halt } }',
      rest: `${state('a', 'b')}\n${state('b', 'a')}`,
    }),
    says: ['51:3 states.a: leads to no terminal state,'],
  },
  'an unknown next state': bad(
    'draft',
    'all_success: check',
    'all_success: chek',
    '22:20 states.draft.transitions.all_success: there is no state "chek"',
  ),
  'a missing transition': bad(
    'draft',
    ', all_failure: halt',
    '',
    '22:5 states.draft.transitions.all_failure: is missing',
  ),
  'a gate without halt': bad('check', ', halt: halt', '', '28:5 states.check.transitions.halt: is missing'),
  'a transition of another type': bad(
    'draft',
    'all_success',
    'success',
    '22:5 states.draft.transitions.all_success: is missing',
    '22:20 states.draft.transitions.success: is no transition of a',
  ),
  'a gate with success': bad(
    'check',
    'proceed: audit',
    'proceed: audit, success: audit',
    '28:36 states.check.transitions.success: is no transition of a',
  ),
  'transitions as a list': bad(
    'draft',
    '{ all_success: check, partial_success: check, all_failure: halt }',
    '[check]',
    '22:5 states.draft.transitions: must be a map with',
    '23:3 states.check: cannot be reached: no state',
  ),
  'transitions of a terminal state': bad(
    'halt',
    'error: true',
    'error: true, transitions: { success: draft }',
    '49:40 states.halt.transitions: is not a known field',
  ),
  'transitions of the initial state': bad(
    'start',
    'next: draft',
    'next: draft, transitions: { success: draft }',
    '16:89 states.start.transitions: is not a known field',
  ),
  'a gate that produces': bad(
    'check',
    'agent: gate',
    'agent: gate\n    work: produce',
    '26:5 states.check.work: is produce, but a quality',
  ),
  'an unknown type': bad(
    'combine',
    'orchestrator-task',
    'orchestrator',
    '38:5 states.combine.type: "orchestrator" is not a known',
  ),
  'a strange action': bad(
    'start',
    '{ log: Begin. }',
    '{ run: make }',
    '16:38 states.start.on_enter.0: is no action',
  ),
  'a name with a space': {
    text: machineText({
      approve: machineParts.approve.replace('halt }', 'at end }'),
      rest: '  at end: { type: terminal }',
    }),
    says: ['50:3 states.at end: must be a name of'],
  },
}

/** Mistakes of agents and the orchestrator. */
export const agents: Readonly<Record<string, BadMachine>> = {
  'an agent without a value': bad('agents', 'ada: {}', 'ada:', '6:3 agents.ada: must be an object, got'),
  'a name that no file can have': {
    text: machineText().replaceAll('ada', 'a'.repeat(190)),
    says: [`6:3 agents.${'a'.repeat(190)}: has more than 64 characters`],
  },
  'an unknown agent': bad('draft', 'ben', 'bne', '19:19 states.draft.agents.1: there is no agent "bne"'),
  'an agent twice': bad('draft', 'ben]', 'ben, ada]', '19:24 states.draft.agents.2: names "ada" twice'),
  'an unused agent': bad(
    'agents',
    'ada: {}',
    'ada: {}\n  carl: {}',
    '7:3 agents.carl: no state uses this agent',
  ),
  'a reserved name': bad(
    'agents',
    'ada: {}',
    'ada: {}\n  orchestrator: {}',
    '7:3 agents.orchestrator: the name "orchestrator" has another',
  ),
  'the orchestrator as an agent': bad(
    'draft',
    '[ada, ben]',
    '[ada, ben, orchestrator]',
    '19:24 states.draft.agents.2: the orchestrator is not one',
  ),
  'a limit of a session that is off': bad(
    'agents',
    'ada: {}',
    'ada: { max_messages: 5 }',
    '6:10 agents.ada.max_messages: has no effect without a',
  ),
  'an agent of bench that does not exist': bad(
    'agents',
    'ada: {}',
    'ada: { agent: "nobody:x" }',
    '6:10 agents.ada.agent: there is no provider "nobody"',
  ),
  'an unknown checkpoint': bad(
    'orchestrator',
    'loop_warning',
    'loop_warnig',
    '4:17 orchestrator.checkpoints.0: "loop_warnig" is not allowed',
  ),
  'a checkpoint as a map': bad(
    'orchestrator',
    'loop_warning',
    '{ on: loop_warning }',
    '4:17 orchestrator.checkpoints.0: must be a name alone',
  ),
}
