import type { AgentRequest } from '../../../src/agents/agent.ts'
import type { Files, Task } from '../../../src/schema/task.ts'
import type { CheckResult } from '../../../src/strategy.ts'

/** The roles of the two-level loop, for requests that ask one of them. */
export const loopRoles = {
  'contract-writer': 'decide',
  auditor: 'judge',
  'code-generator': 'produce',
  evaluator: 'judge',
  refiner: 'decide',
  summarizer: 'summarise',
} as const

/** The fields of a request that a test sets; the others have defaults. */
export type Wanted = Partial<Omit<AgentRequest, 'trial' | 'workspace'>> & {
  trial?: Partial<AgentRequest['trial']>
  files?: Files
  check?: CheckResult | ((files: Files) => CheckResult | Promise<CheckResult>)
  folder?: () => Promise<string>
  home?: () => string
}

/** Creates a whole request from the fields that a test sets. */
export function agentRequest({ trial, files = {}, check, folder, home, ...rest }: Wanted = {}): AgentRequest {
  const none: CheckResult = { status: 'none', passed: 0, total: 0, output: '' }
  return {
    role: 'code-generator',
    work: 'produce',
    prompt: 'Do the task.',
    attempt: 1,
    repair: false,
    roles: loopRoles,
    history: [],
    ...rest,
    trial: {
      id: 't1',
      task: 'test/sum',
      method: 'baseline',
      strategy: 'baseline',
      epoch: 1,
      seed: 1,
      key: '#1',
      rerun: 0,
      ...trial,
    },
    workspace: {
      files: () => files,
      peek: async () => (typeof check === 'function' ? check(files) : (check ?? none)),
      folder: folder ?? (() => Promise.reject(new Error('this test has no folder'))),
      home: () => {
        if (!home) throw new Error('this test has no HOME')
        return home()
      },
    },
  }
}

const spec = {
  version: 1,
  title: 'A task',
  licence: 'MIT',
  source: 'test',
  rule: 'all' as const,
  requires: [],
  limits: {},
}

/** A code task whose workspace is one JavaScript file. */
export function codeTask(
  parts: { ref?: string; stub?: string; solution?: string; checks?: Files; difficulty?: number } = {},
): Task {
  const { ref = 'test/sum', checks = { 'checks/a.mjs': '' }, difficulty } = parts
  return {
    ref,
    suite: 'test',
    spec: {
      ...spec,
      id: ref.split('/')[1] as string,
      output: 'files',
      language: 'javascript',
      editable: ['src/**'],
      graders: [{ kind: 'tests', name: 'tests', runner: 'node-test', expectTests: 1, timeoutMs: 20_000 }],
      properties: difficulty === undefined ? {} : { difficulty },
    },
    instruction: 'Write sum.',
    files: {
      'src/sum.mjs': parts.stub ?? 'export const sum = () => 0\n',
      'package.json': '{"type":"module"}\n',
    },
    checks,
    hidden: {
      tests: { 'tests/a.mjs': '' },
      solution: { files: { 'src/sum.mjs': parts.solution ?? sumSolution } },
    },
    digest: `digest-${ref.replace('/', '-')}`,
    origin: 'test',
  }
}

export const sumSolution = `// The sum of all that is over the limit; "< 1" in a comment stays.
export function sum(values, limit) {
  let total = 0
  for (const value of values) {
    if (value > limit) total += value
  }
  return total === 0 ? 'none < 1' : total
}
`

/** An answer task; without an answer it has no reference. */
export function answerTask(
  parts: {
    ref?: string
    answer?: string | undefined
    difficulty?: number
    grader?: Task['spec']['graders'][number]
  } = {},
): Task {
  const { ref = 'test/answer', difficulty } = parts
  const answer = 'answer' in parts ? parts.answer : '42'
  const grader = parts.grader ?? { kind: 'exact', name: 'answer', ignoreCase: true }
  return {
    ref,
    suite: 'test',
    spec: {
      ...spec,
      id: ref.split('/')[1] as string,
      output: 'answer',
      language: 'text',
      editable: [],
      graders: [grader],
      properties: difficulty === undefined ? {} : { difficulty },
    },
    instruction: 'How many?',
    files: {},
    checks: {},
    hidden: { tests: {}, solution: answer === undefined ? {} : { answer } },
    digest: `digest-${ref.replace('/', '-')}`,
    origin: 'test',
  }
}
