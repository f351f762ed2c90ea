import { describe, expect, it } from 'vitest'
import { badDocuments } from '../../helpers/graph/bad-documents.ts'
import { problemsOf } from '../../helpers/graph/documents.ts'
import { inShort } from '../../helpers/graph/in-short.ts'

const around = {
  read: (path: string) => (path === 'empty.txt' ? '' : undefined),
  agentProblem: (name: string) =>
    name === 'gtp' ? { what: 'there is no agent "gtp"', fix: 'Did you mean gpt?' } : undefined,
}

/** The place of each mistake, and how its words begin. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'an empty file': ['1:1: is empty'],
  'a file of comments': ['1:1: is empty'],
  'a list at the top': ['1:1: must be a map of'],
  'a single value': ['1:1: must be a map of'],
  'an unclosed quote': ['3:1: is not valid YAML: Missing'],
  'a tab as indentation': ['3:1: is not valid YAML: Tabs'],
  'two documents': ['2:1: is not valid YAML: it'],
  'equal keys, and other mistakes': [
    '3:3 agents.maker.work: "juge" is not allowed',
    '4:3: the key "maker" is already',
    '8:12 tasks.check.agent_ref: there is no agent "critic"',
    '13:18 workflows.main.steps.0.task: there is no task "mak"',
  ],
  'equal keys in JSON': [
    '1:40: the key "a" is already',
    '1:71 run.workflow_ref: there is no workflow "main"',
  ],
  'an unknown alias': ['2:9: uses the alias *all, but'],
  'a tag': ['2:15: has the tag !!set, which'],
  'a merge key': ['4:13 agents.critic.<<: is not a known field'],
  'the name __proto__': ['3:3: uses the name __proto__, which'],
  'a comma at the end of JSON': ['1:1 agents: is missing', '1:1 tasks: is missing', '1:1 run: is missing'],
  'mistakes in JSON with tabs': [
    '3:21 agents.a.rol: is not a known field',
    '4:20 tasks.t.agent_ref: there is no agent "b"',
    '5:48 run.workflow.steps.0.task: there is no task "u"',
  ],
  'keys that differ only by quotes': ['5:3: the key "1" is already'],
  'no version': ['1:1 version: is missing'],
  'another version': ['1:1 version: is "0.4". This release reads'],
  'another version, as a number': ['1:1 version: is 1. This release reads'],
  'no field at all': ['1:1 agents: is missing', '1:1 tasks: is missing', '1:1 run: is missing'],
  'misspelt fields': [
    '1:1 agents: is missing',
    '1:1 run: is missing',
    '2:1 agent: is not a known field',
    '14:1 runs: is not a known field',
  ],
  'an unknown kind of provider': [
    '3:8 providers.p.kind: "ollama" is not a known',
    '4:3 providers.q.kind: is missing',
    '5:27 providers.r.config.base_url: is missing',
    '5:27 providers.r.config.model: is missing',
    '5:37 providers.r.config.url: is not a known field',
    '6:3 providers.s.config: is missing',
    '8:3 agents.maker: names no provider, and there',
    '9:3 agents.critic: names no provider, and there',
    '10:3 agents.chief: names no provider, and there',
  ],
  'an unknown pattern': [
    '14:18 workflows.main.steps.0.pattern: "debat" is not a known',
    '15:18 workflows.main.steps.1.pattern: "parallel" is not a known',
    '16:18 workflows.main.steps.2.pattern: 3 is not a known',
  ],
  'missing fields of patterns': [
    '14:9 workflows.main.steps.0.debaters: is missing',
    '14:9 workflows.main.steps.0.judge: is missing',
    '15:9 workflows.main.steps.1.join: is missing',
    '15:38 workflows.main.steps.1.branches: has no branch, so there',
    '16:9 workflows.main.steps.2.candidates: is missing',
    '16:9 workflows.main.steps.2.referee: is missing',
    '17:9 workflows.main.steps.3.planner: is missing',
    '17:9 workflows.main.steps.3.executor: is missing',
    '18:9 workflows.main.steps.4.boss: is missing',
    '18:9 workflows.main.steps.4.workers: is missing',
    '19:9 workflows.main.steps.5.steps: is missing',
  ],
  'values of other types': [
    '14:35 workflows.main.steps.0.debaters: must be an object, got',
    '14:59 workflows.main.steps.0.rounds: must be at most 20',
    '14:71 workflows.main.steps.0.judge: must be a string or',
    '15:50 workflows.main.steps.1.branches.x: must be an array, got',
    '15:78 workflows.main.steps.1.join: must be a string or',
    '16:11 workflows.main.steps.2.id: must be a string, got',
    '16:30 workflows.main.steps.2.needs: must be an array, got',
    '17:9 workflows.main.steps.3: must be a step, got',
    '18:18 workflows.main.steps.4.task: must be a string, got',
  ],
  'an id or needs in a slot': [
    '14:88 workflows.main.steps.0.join.id: is not a known field',
    '14:107 workflows.main.steps.0.join.needs: has no effect inside a',
    '14:119 workflows.main.steps.0.join.promt: is not a known field',
  ],
  'ids that are none': [
    '7:3 tasks.ma ke: must be a name of',
    '13:11 workflows.main.steps.0.id: must be a name of',
    '13:26 workflows.main.steps.0.task: there is no task "make"',
  ],
  'a wrong id, run and seed': [
    '14:28 run.seed: must be at least 0',
    '14:50 run.defaults.max_concurrency: must be at least 1',
    '14:70 run.defaults.retries: must be at most 10',
    '14:83 run.defaults.on_failure: "stop" is not allowed',
    '14:103 run.input: {"txt":"a"} is not allowed',
  ],
  'unknown names': [
    '5:12 agents.maker.provider: there is no provider "locl"',
    '5:36 agents.maker.tools.0: there is no tool "serch"',
    '7:11 tasks.make.agent_ref: there is no agent "makr"',
    '8:48 tasks.test.tools.0: agent "maker" does not have',
    '14:18 workflows.main.steps.0.task: there is no task "mak"',
    '15:30 workflows.main.steps.1.agent: there is no agent "make";',
    '16:63 workflows.main.steps.2.branches.x.0.task: there is no task "tset"',
    '16:80 workflows.main.steps.2.join: there is no task "b"',
    '17:8 run.workflow_ref: there is no workflow "mian"',
    '17:41 run.placement.provider: there is no provider "lokal"',
    '17:67 run.placement.steps.c: there is no step "c"',
    '17:88 run.placement.steps.q: "q" is inside a pattern',
    '17:112 run.placement.steps.a: names neither a provider nor',
    '17:124 run.placement.steps.b.provider: there is no provider "x"',
    '17:137 run.placement.steps.b.agent: there is no agent "y"',
  ],
  'the names of JavaScript’s own fields': [
    '2:20 agents.maker.provider: there is no provider "constructor"',
    '2:51 agents.maker.tools.0: there is no tool "toString"',
    '3:18 tasks.make.agent_ref: there is no agent "hasOwnProperty"',
    '4:39 workflows.main.steps.0.task: there is no task "valueOf"',
    '5:8 run.workflow_ref: there is no workflow "constructor"',
  ],
  'ids that do not equal their keys': [
    '3:12 agents.maker.id: is "mkr", but the key',
    '12:5 workflows.main.id: is "other", but the key',
  ],
  'a missing provider among several': [
    '6:3 agents.maker: names no provider, and there',
    '7:27 agents.other.model: has no effect: provider "two"',
  ],
  'a model without a provider': ['3:12 agents.maker.model: has no effect, since there'],
  'tools that an agent does not have': [
    '6:27 agents.maker.tools.1: names "files" twice',
    '9:48 tasks.make.tools.0: agent "maker" does not have',
    '14:30 workflows.main.steps.0.agent: task "read" uses files, which',
    '15:18 workflows.main.steps.1.task: task "read" uses files, which',
  ],
  'a key in the place of its variable': [
    '3:37 providers.p.config.base_url: must be an http or',
    '3:68 providers.p.config.key_variable: is not the name of',
  ],
  'both forms of a workflow': ['16:3 run.workflow: the run has a workflow'],
  'neither form': ['14:1 run: names no workflow'],
  'neither form and several workflows': ['16:1 run: names no workflow'],
  'no workflow': ['10:1 run: names no workflow'],
  'an inline workflow with a taken id': ['14:20 run.workflow.id: there is also a workflow'],
  'a missing input file': ['14:37 run.input.file: there is no file "nothing.txt"'],
  'an empty input file': ['14:37 run.input.file: the file "empty.txt" is empty'],
  'an unknown agent of bench': ['3:37 providers.p.config.agent: there is no agent "gtp"'],
  'steps of one id': [
    '15:11 workflows.main.steps.1.id: there are two steps "a";',
    '16:68 workflows.main.steps.2.steps.1.id: there are two steps "b";',
    '17:11 workflows.main.steps.3.id: there are two steps "l";',
    '17:79 workflows.main.steps.3.branches.x.1.id: there are two steps "c";',
  ],
  'names that other slots have': [
    '14:50 workflows.main.steps.0.branches.join: branch "join" would have the',
    '15:47 workflows.main.steps.1.debaters.judge: debater "judge" would have the',
    '16:50 workflows.main.steps.2.candidates.referee: candidate "referee" would have the',
    '17:64 workflows.main.steps.3.workers.boss: worker "boss" would have the',
    '17:76 workflows.main.steps.3.workers.finish: worker "finish" would have the',
  ],
  'too few parts': [
    '14:38 workflows.main.steps.0.branches: has no branch, so there',
    '15:35 workflows.main.steps.1.debaters: has only one debater, so',
    '16:36 workflows.main.steps.2.candidates: has only one candidate, so',
    '17:53 workflows.main.steps.3.workers: has no worker, so nobody',
  ],
  'producers that choose': [
    '14:70 workflows.main.steps.0.referee: chooses a candidate, but its',
    '15:41 workflows.main.steps.1.boss: gives tasks, but its agent',
    '16:56 workflows.main.steps.2.planner.task: plans steps, but its agent',
  ],
  'a candidate without a known last step': [
    '14:59 workflows.main.steps.0.candidates.a: adds steps at run time,',
  ],
  'empty slots, one named as a field of JavaScript’s own': [
    '14:50 workflows.main.steps.0.candidates.constructor: must be a string or',
  ],
  'nothing to hand in': ['13:5 workflows.main.steps: no step has an agent'],
  'an answer that is none': ['13:5 workflows.main.answer: the last step of "b"'],
  'an answer of a judge': ['13:5 workflows.main.answer: the last step of "d"'],
  'an answer that is added at run time': ['13:5 workflows.main.answer: pattern "e" adds steps at'],
  'an unknown answer': ['13:5 workflows.main.answer: there is no step "ac"'],
  'too many steps': ['13:5 workflows.main.steps: can become 10041 steps, and'],
  'needs in a sequential workflow': ['15:30 workflows.main.steps.1.needs: has no effect in a'],
  'needs inside a pattern': [
    '14:87 workflows.main.steps.0.steps.1.needs: has no effect inside a',
    '15:79 workflows.main.steps.1.candidates.a.needs: has no effect inside a',
  ],
  'unknown needs': [
    '14:42 workflows.main.steps.0.needs.0: there is no step "frist"',
    '14:49 workflows.main.steps.0.needs.1: there is no step "nothing"',
    '14:66 workflows.main.steps.0.needs.3: names "second" twice',
    '16:43 workflows.main.steps.2.needs.0: "x" is inside the pattern',
  ],
  'a step that needs itself': ['14:38 workflows.main.steps.0.needs.0: step "a" needs itself'],
  cycles: [
    '14:38 workflows.main.steps.0.needs.0: steps wait for each other:',
    '20:38 workflows.main.steps.3.needs.0: steps wait for each other:',
  ],
  'a step without an id that others need': [
    '14:9 workflows.main.steps.0.id: is missing',
    '14:11 workflows.main.steps.0.name: is not a known field',
  ],
}

describe.each(Object.entries(badDocuments))('a document with mistakes of %s', (_, documents) => {
  it.each(documents)('is refused with all of them: %s', (name, text) => {
    expect(problemsOf(text, around, 'g.yaml', inShort)).toEqual(expected[name])
  })
})

describe('a document that is too large', () => {
  // Unbounded work would take minutes, and the test would not end in its time.
  const within = (text: string) => problemsOf(text, around, 'g.yaml')

  it('is refused by its size, without reading it', () => {
    expect(within(`version: "0.5"\n${'# filler\n'.repeat(1_200_000)}`)).toMatchSnapshot()
  })

  it('is refused if its aliases make it large', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...[...'bcdefgh'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`)}]`),
    ]
    expect(within(bomb.join('\n'))).toMatchSnapshot()
    const flat = `a: &a [${'x,'.repeat(20_000)}x]\n${Array.from({ length: 90 }, (_, i) => `b${i}: *a`).join('\n')}`
    expect(within(flat)).toEqual(['[g.yaml:1:1] contains too many aliases. Write the values instead.'])
  })

  it.each([
    ['lists', '['.repeat(50_000)],
    ['maps', '{a: '.repeat(50_000)],
    ['JSON', '{"a":'.repeat(50_000)],
  ])('is refused if it nests %s too deeply', (_, text) => {
    expect(within(text)[0]).toMatch(/^\[g\.yaml:1:\d+] nests more than 100 levels deep\.$/)
  })

  it('is refused in time that grows with its size only', () => {
    const keys = Array.from({ length: 30_000 }, (_, i) => `    a${i}: 1\n`).join('')
    const problems = within(`version: "0.5"\nagents:\n  a:\n${keys}tasks: {}\nrun: {}\n`)
    expect(problems.at(-1)).toBe('[g.yaml] has 29901 more mistakes.')
  })

  it('has its first 100 mistakes reported, and the number of the others', () => {
    const steps = Array.from({ length: 150 }, (_, i) => `      - { id: s${i}, task: no }\n`).join('')
    const text = `version: "0.5"\nagents: { a: {} }\ntasks: { t: { agent_ref: a, prompt: x } }\nworkflows:\n  main:\n    steps:\n${steps}run: { workflow_ref: main }\n`
    const problems = within(text)
    expect(problems[0]).toBe('[g.yaml:7:19 workflows.main.steps.0.task] there is no task "no". Use one of t.')
    expect(problems.slice(100)).toEqual(['[g.yaml] has 50 more mistakes.'])
  })
})
