import { added, type BadMachine, bad } from './bad-machine.ts'
import { machineText } from './machines.ts'

/** Mistakes of what states read and write. */
export const texts: Readonly<Record<string, BadMachine>> = {
  'an output of all agents': bad(
    'draft',
    'drafts/{agent}.md',
    'drafts/all.md',
    '21:5 states.draft.output: all agents would write drafts/all.md',
  ),
  'an output of two states': bad(
    'audit',
    'audits/{agent}.md',
    'drafts/{agent}.md',
    '35:5 states.audit.output: state "draft" (line 21) writes',
    '40:26 states.combine.input.1: no state writes audits/*.md',
  ),
  'outputs that differ by case': bad(
    'complete',
    'summary.md',
    'Final/text.md',
    '48:44 states.complete.on_enter.0.generate: Final/text.md differs from final/text.md of',
  ),
  'a summary over an output': bad(
    'complete',
    'summary.md',
    'final/text.md',
    '48:44 states.complete.on_enter.0.generate: state "combine" (line 41) writes',
  ),
  'a folder that is a file': bad(
    'complete',
    'summary.md',
    'drafts',
    '21:5 states.draft.output: drafts/ada.md needs a folder drafts,',
  ),
  'an absolute output': bad(
    'complete',
    'summary.md',
    '/tmp/a.md',
    '48:44 states.complete.on_enter.0.generate: must be a relative path',
  ),
  'an output outside': bad(
    'complete',
    'summary.md',
    '../a.md',
    '48:44 states.complete.on_enter.0.generate: must be a plain path',
  ),
  'an unknown placeholder': bad(
    'complete',
    'summary.md',
    '"{story}.md"',
    '48:44 states.complete.on_enter.0.generate: has {story}, which stands for',
  ),
  'a placeholder of a shell': bad(
    'draft',
    'drafts/{agent}.md',
    'drafts/$agent.md',
    '21:5 states.draft.output: has a $, which stands',
  ),
  'a key that templates could not use': bad(
    'combine',
    '[drafts/*.md, audits/*.md]',
    '{ myDrafts: drafts/*.md, audits: audits/*.md }',
    '40:5 states.combine.input: has the key "myDrafts", which',
  ),
  'a criterion twice': bad(
    'audit',
    'work: judge',
    'scores: [clarity, clarity]',
    '33:23 states.audit.scores.1: names "clarity" twice',
  ),
  'an input that no state writes': bad(
    'audit',
    'drafts/*.md',
    'draft/*.md',
    '34:5 states.audit.input: no state writes draft/*.md',
  ),
  'an input that comes later': bad(
    'start',
    'validate: task',
    'validate: final/text.md',
    '16:57 states.start.on_enter.1.validate: only "combine" writes final/text.md, and',
  ),
  'an input of an agent': bad(
    'audit',
    'drafts/*.md',
    'drafts/{agent}.md',
    '34:5 states.audit.input: an input has no {agent}',
  ),
  'the task by another name': bad(
    'start',
    'validate: task',
    'validate: input_exists',
    '16:57 states.start.on_enter.1.validate: no state writes input_exists',
  ),
  'a name that templates have already': bad(
    'audit',
    'input: drafts/*.md',
    'input: { visit: drafts/*.md }',
    '34:14 states.audit.input.visit: templates have the name "visit"',
  ),
  'scores without an input': bad(
    'draft',
    'persona: writer',
    'persona: writer\n    scores: [clarity]',
    '21:5 states.draft.scores: has nothing to score: the',
  ),
  'deliver that nothing writes': added('deliver: final/txt.md', '50:1 deliver: no state writes final/txt.md'),
  'deliver as a list': added('deliver: [final/text.md]', '50:1 deliver: must be a string, got'),
  'deliver of several': added('deliver: drafts/{agent}.md', '50:1 deliver: must be one output'),
  'nothing to hand in': {
    text: machineText().replace(/persona: (?:writer|synthesizer)$/gm, '$&\n    work: judge'),
    says: ['15:1 states: no state produces anything that'],
  },
}

/** Mistakes of limits and settings. */
export const limits: Readonly<Record<string, BadMachine>> = {
  'hard limits that are too high': added(
    'circuit_breaker: { hard: { transitions: 51, time_s: 3601, cost_usd: 10.5 } }',
    '50:28 circuit_breaker.hard.transitions: is above 50, the most',
    '50:45 circuit_breaker.hard.time_s: is above 3600, the most',
    '50:59 circuit_breaker.hard.cost_usd: is above 10, the most',
  ),
  'a rule that never breaks': added(
    'circuit_breaker: { rules: [{ rule: transitions, max: 40 }], hard: { transitions: 30 } }',
    '50:49 circuit_breaker.rules.0.max: is above the hard limit',
  ),
  'a rule twice': added(
    'circuit_breaker: { rules: [{ rule: cycle }, { rule: cycle }] }',
    '50:47 circuit_breaker.rules.1.rule: "cycle" stands twice',
  ),
  'an unknown rule': added(
    'circuit_breaker: { rules: [{ rule: transition_limit }] }',
    '50:30 circuit_breaker.rules.0.rule: "transition_limit" is not a known',
  ),
  'a number in quotes': added(
    'settings: { retry_count: "2" }',
    '50:13 settings.retry_count: must be a number, got',
  ),
  'settings of another type': added(
    'settings: { timeout_per_agent: 5m, retry_count: 11, parallel_fanout: "yes" }',
    '50:13 settings.timeout_per_agent: must be a number, got',
    '50:36 settings.retry_count: must be at most 10',
    '50:53 settings.parallel_fanout: must be a boolean, got',
  ),
  'an unknown field': added('descripton: a', '50:1 descripton: is not a known field'),
  'a key twice': added('name: other', '50:1: the key "name" is already'),
}
