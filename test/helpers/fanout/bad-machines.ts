import { machineParts, machineText, persona, personaFiles } from './machines.ts'

/** A machine with one mistake, and what is said of it. */
export interface BadMachine {
  text: string
  files?: Readonly<Record<string, string>>
  /** All that is said, each as `where: what fix`. */
  says: string[]
}

type Part = keyof typeof machineParts

/** Returns the small machine with a text in one part exchanged. */
function changed(part: Part, from: string, to: string): string {
  const exchanged = machineParts[part].replace(from, to)
  if (exchanged === machineParts[part]) throw new Error(`${part} has no ${from}`)
  return machineText({ [part]: exchanged })
}

const bad = (part: Part, from: string, to: string, ...says: string[]): BadMachine => ({
  text: changed(part, from, to),
  says,
})

const added = (rest: string, ...says: string[]): BadMachine => ({ text: machineText({ rest }), says })

const inPersona = (name: string, text: string, ...says: string[]): BadMachine => ({
  text: machineText(),
  files: { ...personaFiles, [`personas/${name}.md`]: text },
  says,
})

const state = (name: string, to: string) =>
  `  ${name}: { type: human-approval, transitions: { approved: ${to}, feedback: ${name}, abort: ${to} } }`

const states: Readonly<Record<string, BadMachine>> = {
  'no initial state': {
    text: machineText({ start: '' }),
    says: ['15:1 states: has no initial state Add `start: { type: initial, next: STATE }`.'],
  },
  'two initial states': added(
    '  again: { type: initial, next: draft }',
    '50:12 states.again.type: is a second initial state, beside "start" Keep one of them, and give the other another type.',
  ),
  'only failed ends': bad(
    'complete',
    'type: terminal,',
    'type: terminal, error: true,',
    '48:31 states.complete.error: is true for every terminal state, so the machine could never end well Add `complete: { type: terminal }`.',
  ),
  'an unreachable state': added(
    `${state('lost', 'more')}\n${state('more', 'complete')}`,
    '50:3 states.lost: cannot be reached: no state leads to it, so that "more" cannot be reached either Let a transition name it, or remove it.',
  ),
  'two unreachable states': added(
    `${state('lost', 'halt')}\n${state('more', 'halt')}`,
    '50:3 states.lost: cannot be reached: no state leads to it Let a transition name it, or remove it.',
    '51:3 states.more: cannot be reached: no state leads to it Let a transition name it, or remove it.',
  ),
  'states without an end': {
    text: machineText({
      start:
        '  start: { type: initial, next: fork }\n  fork: { type: human-approval, transitions: { approved: draft, feedback: a, abort: halt } }',
      rest: `${state('a', 'b')}\n${state('b', 'a')}`,
    }),
    says: ['51:3 states.a: leads to no terminal state, only to "b" Let a transition name a terminal state.'],
  },
  'an unknown next state': bad(
    'draft',
    'all_success: check',
    'all_success: chek',
    '22:20 states.draft.transitions.all_success: there is no state "chek" Did you mean check?',
  ),
  'a missing transition': bad(
    'draft',
    ', all_failure: halt',
    '',
    '22:5 states.draft.transitions.all_failure: is missing Write all_failure: with the name of a state.',
  ),
  'a gate without halt': bad(
    'check',
    ', halt: halt',
    '',
    '28:5 states.check.transitions.halt: is missing Write halt: with the name of a state.',
  ),
  'a transition of another type': bad(
    'draft',
    'all_success',
    'success',
    '22:20 states.draft.transitions.success: is no transition of a state of type fan-out Write all_success instead.',
  ),
  'a gate with success': bad(
    'check',
    'proceed: audit',
    'proceed: audit, success: audit',
    '28:36 states.check.transitions.success: is no transition of a quality gate Remove it, or use one of proceed, retry, halt, failure.',
  ),
  'transitions as a list': bad(
    'draft',
    '{ all_success: check, partial_success: check, all_failure: halt }',
    '[check]',
    '22:5 states.draft.transitions: must be a map with a state for each result Write `transitions: { all_success: STATE, all_failure: STATE }`.',
    '23:3 states.check: cannot be reached: no state leads to it, so that "audit", "combine", "approve", "complete", "halt" cannot be reached either Let a transition name it, or remove it.',
  ),
  'a gate that produces': bad(
    'check',
    'agent: gate',
    'agent: gate\n    work: produce',
    '26:5 states.check.work: is produce, but a quality gate judges Remove it.',
  ),
  'an unknown type': bad(
    'combine',
    'orchestrator-task',
    'orchestrator',
    '38:5 states.combine.type: "orchestrator" is not a known type Write orchestrator-task instead.',
  ),
  'a strange action': bad(
    'start',
    '{ log: Begin. }',
    '{ run: make }',
    '16:38 states.start.on_enter.0: is no action Write `log: TEXT`, `validate: PATH` or `generate: PATH`, each as an item of its own.',
  ),
  'a name with a space': {
    text: machineText({
      approve: machineParts.approve.replace('halt }', 'at end }'),
      rest: '  at end: { type: terminal }',
    }),
    says: [
      '50:3 states.at end: must be a name of letters, digits, dashes and underscores, and begin with a letter',
    ],
  },
}

const agents: Readonly<Record<string, BadMachine>> = {
  'an unknown agent': bad(
    'draft',
    'ben',
    'bne',
    '19:19 states.draft.agents.1: there is no agent "bne" Did you mean ben?',
  ),
  'an agent twice': bad(
    'draft',
    'ben]',
    'ben, ada]',
    '19:24 states.draft.agents.2: names "ada" twice Remove it.',
  ),
  'an unused agent': bad(
    'agents',
    'ada: {}',
    'ada: {}\n  carl: {}',
    '7:3 agents.carl: no state uses this agent Remove it, or name it in a state.',
  ),
  'a reserved name': bad(
    'agents',
    'ada: {}',
    'ada: {}\n  orchestrator: {}',
    '7:3 agents.orchestrator: the name "orchestrator" has another meaning here Rename the agent.',
  ),
  'the orchestrator as an agent': bad(
    'draft',
    '[ada, ben]',
    '[ada, ben, orchestrator]',
    '19:24 states.draft.agents.2: the orchestrator is not one of the agents Write a state with type: orchestrator-task.',
  ),
  'a limit of a session that is off': bad(
    'agents',
    'ada: {}',
    'ada: { max_messages: 5 }',
    '6:10 agents.ada.max_messages: has no effect without a session Write session: true, or remove it.',
  ),
  'an agent of bench that does not exist': bad(
    'agents',
    'ada: {}',
    'ada: { agent: "nobody:x" }',
    '6:10 agents.ada.agent: there is no provider "nobody" Write another.',
  ),
  'an unknown checkpoint': bad(
    'orchestrator',
    'loop_warning',
    'loop_warnig',
    '4:17 orchestrator.checkpoints.0: "loop_warnig" is not allowed Did you mean loop_warning?',
  ),
  'a checkpoint as a map': bad(
    'orchestrator',
    'loop_warning',
    '{ on: loop_warning }',
    '4:17 orchestrator.checkpoints.0: must be a name alone Write loop_warning without on:.',
  ),
}

const texts: Readonly<Record<string, BadMachine>> = {
  'an output of all agents': bad(
    'draft',
    'drafts/{agent}.md',
    'drafts/all.md',
    '21:5 states.draft.output: all agents would write drafts/all.md Write {agent} where the name of the agent stands: drafts/all/{agent}.md.',
  ),
  'an output of two states': bad(
    'audit',
    'audits/{agent}.md',
    'drafts/{agent}.md',
    '35:5 states.audit.output: state "draft" (line 21) writes drafts/ada.md too Write another path.',
    '40:26 states.combine.input.1: no state writes audits/*.md Use one of task, drafts/*.md, reviews/check.json, final/text.md, summary.md.',
  ),
  'outputs that differ by case': bad(
    'complete',
    'summary.md',
    'Final/text.md',
    '48:44 states.complete.on_enter.0.generate: Final/text.md differs from final/text.md of state "combine" (line 41) by case alone Write another path.',
  ),
  'a summary over an output': bad(
    'complete',
    'summary.md',
    'final/text.md',
    '48:44 states.complete.on_enter.0.generate: state "combine" (line 41) writes final/text.md too Write another path.',
  ),
  'a folder that is a file': bad(
    'complete',
    'summary.md',
    'drafts',
    '21:5 states.draft.output: drafts/ada.md needs a folder drafts, which is an output of state "complete" (line 48) Write another path.',
  ),
  'an absolute output': bad(
    'complete',
    'summary.md',
    '/tmp/a.md',
    '48:44 states.complete.on_enter.0.generate: must be a relative path Begin with a folder, such as drafts/.',
  ),
  'an output outside': bad(
    'complete',
    'summary.md',
    '../a.md',
    '48:44 states.complete.on_enter.0.generate: must be a plain path Write folders and a name, such as drafts/{agent}.md, without `.`, `..` or `\\`.',
  ),
  'an unknown placeholder': bad(
    'complete',
    'summary.md',
    '"{story}.md"',
    '48:44 states.complete.on_enter.0.generate: has {story}, which stands for nothing Use {agent} alone; each trial has outputs of its own.',
  ),
  'an input that no state writes': bad(
    'audit',
    'drafts/*.md',
    'draft/*.md',
    '34:5 states.audit.input: no state writes draft/*.md Did you mean drafts/*.md?',
  ),
  'an input that comes later': bad(
    'start',
    'validate: task',
    'validate: final/text.md',
    '16:57 states.start.on_enter.1.validate: only "combine" writes final/text.md, and cannot come before "start" Use one of task, or change the transitions.',
  ),
  'an input of an agent': bad(
    'audit',
    'drafts/*.md',
    'drafts/{agent}.md',
    '34:5 states.audit.input: an input has no {agent} Write drafts/*.md for those of all agents.',
  ),
  'the task by another name': bad(
    'start',
    'validate: task',
    'validate: input_exists',
    '16:57 states.start.on_enter.1.validate: no state writes input_exists Write task, which is the text of the task.',
  ),
  'a name that templates have already': bad(
    'audit',
    'input: drafts/*.md',
    'input: { visit: drafts/*.md }',
    '34:14 states.audit.input.visit: templates have the name "visit" for something else Write another key.',
  ),
  'scores without an input': bad(
    'draft',
    'persona: writer',
    'persona: writer\n    scores: [clarity]',
    '21:5 states.draft.scores: has nothing to score: the state has no input Write input:, or remove it.',
  ),
  'deliver that nothing writes': added(
    'deliver: final/txt.md',
    '50:1 deliver: no state writes final/txt.md Did you mean final/text.md?',
  ),
  'deliver of several': added(
    'deliver: drafts/{agent}.md',
    '50:1 deliver: must be one output Use one of drafts/ada.md, drafts/ben.md.',
  ),
  'nothing to hand in': {
    text: machineText().replace(/persona: (?:writer|synthesizer)$/gm, '$&\n    work: judge'),
    says: [
      '15:1 states: no state produces anything that could be handed in Write work: produce at a state, or deliver: with an output.',
    ],
  },
}

const personas: Readonly<Record<string, BadMachine>> = {
  'an unknown persona': bad(
    'draft',
    'writer',
    'wirter',
    '20:5 states.draft.persona: there is no persona "wirter" Did you mean writer?',
  ),
  'a persona by its path': bad(
    'draft',
    'writer',
    'personas/writer.md',
    '20:5 states.draft.persona: "personas/writer.md" is a path, not the name of a persona Write writer.',
  ),
  'no persona': bad(
    'draft',
    '    persona: writer\n',
    '',
    '17:3 states.draft: has no persona, and its agents ada, ben have no persona Write persona: with a name of personas.',
  ),
  'a missing file': bad(
    'personas',
    'personas/writer.md',
    'personas/writr.md',
    '11:3 personas.writer: there is no file personas/writr.md Paths are relative to this file.',
  ),
  'an absolute file': bad(
    'personas',
    'personas/writer.md',
    '/etc/passwd',
    '11:3 personas.writer: must be a path relative to this file Write for example personas/writer.md.',
  ),
  'an empty persona': inPersona(
    'writer',
    ' \n',
    'flows/personas/writer.md: is empty Write the sections Task and Output.',
  ),
  'a persona without sections': inPersona(
    'writer',
    'Write.\n',
    'flows/personas/writer.md: has no section "Task" Add the heading `# Task`.',
    'flows/personas/writer.md: has no section "Output" Add the heading `# Output`.',
  ),
  'an unknown variable': inPersona(
    'writer',
    persona('{{ taks }}'),
    'flows/personas/writer.md:3:4: there is no variable "taks" (used by state "draft", line 20) Did you mean task?',
  ),
  'a variable that needs an input': inPersona(
    'writer',
    persona('{{ audits }}'),
    'flows/personas/writer.md:3:4: there is no variable "audits" (used by state "draft", line 20) Add audits/*.md to the input of the state.',
  ),
  'an unknown part of an input': inPersona(
    'auditor',
    persona('{% for one in drafts %}{{ one.txt }}{% endfor %}'),
    'flows/personas/auditor.md:3:27: there is no one.txt here (used by state "audit", line 32) Each input has agent, path, state, name and text.',
  ),
  'the text of an agent that may fail': inPersona(
    'auditor',
    persona('{{ drafts[1].text }}'),
    'flows/personas/auditor.md:3:4: drafts.1 may be missing: an agent that failed gives nothing (used by state "audit", line 32) Write {% for one in drafts %} instead.',
  ),
  'a variable in a system prompt': inPersona(
    'lead',
    persona('{{ task }}'),
    'flows/personas/lead.md:3:4: a system prompt has no variable "task" (used by orchestrator, line 3) Use agent alone; the persona of a state has all variables.',
  ),
  'a template that is not closed': inPersona(
    'writer',
    persona('{% if task %}'),
    'flows/personas/writer.md:3:1: is no valid template: tag {% if task %} not closed',
  ),
  'an unknown filter': inPersona(
    'writer',
    persona('{{ task | upcas }}'),
    'flows/personas/writer.md:3:1: there is no filter "upcas" Did you mean upcase?',
  ),
}

const limits: Readonly<Record<string, BadMachine>> = {
  'hard limits that are too high': added(
    'circuit_breaker: { hard: { transitions: 51, time_s: 3601, cost_usd: 10.5 } }',
    '50:28 circuit_breaker.hard.transitions: is above 50, the most that a workflow may have Write at most 50.',
    '50:45 circuit_breaker.hard.time_s: is above 3600, the most that a workflow may have Write at most 3600.',
    '50:59 circuit_breaker.hard.cost_usd: is above 10, the most that a workflow may have Write at most 10.',
  ),
  'a rule that never breaks': added(
    'circuit_breaker: { rules: [{ rule: transitions, max: 40 }], hard: { transitions: 30 } }',
    '50:49 circuit_breaker.rules.0.max: is above the hard limit of 30, so it never breaks Write less.',
  ),
  'a rule twice': added(
    'circuit_breaker: { rules: [{ rule: cycle }, { rule: cycle }] }',
    '50:47 circuit_breaker.rules.1.rule: "cycle" stands twice Keep one of them.',
  ),
  'an unknown rule': added(
    'circuit_breaker: { rules: [{ rule: transition_limit }] }',
    '50:30 circuit_breaker.rules.0.rule: "transition_limit" is not a known rule Write transitions instead.',
  ),
  'a number in quotes': added(
    'settings: { retry_count: "2" }',
    '50:13 settings.retry_count: must be a number, got "2" Write it without quotes: 2.',
  ),
  'an unknown field': added(
    'descripton: a',
    '50:1 descripton: is not a known field Did you mean description?',
  ),
  'a key twice': added(
    'name: other',
    '50:1: the key "name" is already in line 1 Remove or rename one of them.',
  ),
}

/** Machines with a mistake each, by what it is. */
export const badMachines: Readonly<Record<string, BadMachine>> = {
  ...states,
  ...agents,
  ...texts,
  ...personas,
  ...limits,
}
