import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildPool } from '../../src/agents/mutants/mutant-pool.ts'
import { createSimulated } from '../../src/agents/simulated/simulated.ts'
import { assessWork, formatSubmission, submissionsOf } from '../../src/agents/simulated/submissions.ts'
import { instructionOf } from '../../src/loop/ask/prompt.ts'
import { selectTasks } from '../../src/loop/plan/select-tasks.ts'
import type { Task } from '../../src/schema/task.ts'
import { loadTaskFolder } from '../../src/suites/native.ts'
import { formatProblem } from '../../src/text/errors.ts'
import { agentRequest } from '../helpers/agents/agent-request.ts'
import { ask, profileOf, shapeOf } from '../helpers/agents/simulated-agent.ts'
import { gradeLeft } from '../helpers/graders/grader-contract.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { answer, writeTexts, yaml } from './native-texts.ts'

const { tasks } = await selectTasks('writing', 1)
const selected = async (text: string) => (await selectTasks(text, 1)).tasks
const grade: Parameters<typeof buildPool>[1] = async (task, submission) => {
  const { passed, scores } = await gradeLeft(task, submission)
  return {
    visible: { status: 'none', passed: 0, total: 0, output: '' },
    passed,
    quality: scores[0]?.value ?? 0,
    ms: 0,
  }
}

describe('the suite writing', () => {
  it('has three tasks, which run only where they are named', async () => {
    expect(tasks).toHaveLength(3)
    for (const selection of ['all', '999'])
      expect(new Set((await selected(selection)).map(({ suite }) => suite))).not.toContain('writing')
    expect(await selected('all,writing')).toHaveLength((await selected('all')).length + 3)
    expect(await selected('night-bread')).toHaveLength(1)
  })

  it('asks for the text alone, which is handed in whole', () => {
    for (const task of tasks) {
      expect(instructionOf(task)).toContain('Reply with the text alone')
      expect(instructionOf(task)).not.toContain('Answer:')
    }
  })

  it.each(tasks)(
    'has $ref with four texts that break a rule, and a reference that keeps all',
    async (task) => {
      const { wrong } = await buildPool(task, grade, { cache: undefined })
      expect(wrong).toHaveLength(4)
      const submissions = submissionsOf(task, { wrong })
      for (const { submission } of wrong) {
        const reply = formatSubmission(submission, task, { files: () => ({}) })
        const { scores, passed } = await gradeLeft(task, { answer: reply })
        expect(passed).toBe(false)
        expect(scores[0]?.reason).toMatch(/^(has|does not state)/)
      }
      const right = formatSubmission(submissions.right, task, { files: () => ({}) })
      expect((await gradeLeft(task, { answer: right })).passed).toBe(true)
      const [first, second] = wrong.map(({ submission }) => 'answer' in submission && submission.answer)
      const assess = (prompt: string) =>
        assessWork(submissions, { prompt, workspace: agentRequest({}).workspace })
      expect(assess(`Improve.\n\n## Draft\n${first}\n\n## Draft\n${right}\n\nReply.`)).toBe('right')
      expect(assess(`## Draft\n${right}\n\n## Draft\n${second}`)).toBe('wrong')
      expect(assess('Write it.')).toBe('unknown')
    },
  )
})

describe('simulated auditors of texts', () => {
  const [task] = tasks as [Task]
  const agent = (noise: number) =>
    createSimulated({
      profile: profileOf({ verdicts: { falseAccept: 0, falseReject: 0, noise } }),
      tasks,
      trySubmission: grade,
    })
  const paths = ['drafts/ada.md', 'drafts/ben.md', 'drafts/cleo.md']
  const criteria = ['facts', 'voice']
  /** The scores of an auditor, by target; the persona names each text as `name` does. */
  async function scoresOf(
    texts: readonly string[],
    noise = 0,
    key = 'audit.ada#1',
    name = (path: string) => `path="${path}"`,
  ) {
    const entry = z.object({
      target: z.enum(paths),
      criterion: z.enum(criteria),
      score: z.number().min(1).max(10),
    })
    const shown = texts.map((text, i) => `<text ${name(paths[i] ?? '')}>\n${text}\n</text>`)
    const prompt = `Audit these.\n${shown.join('\n')}\nScore ${paths.join(', ')} by ${criteria.join(', ')}.`
    const asked = {
      work: 'judge',
      role: 'ada',
      prompt,
      schema: shapeOf(z.object({ scores: z.array(entry) })),
    } as const
    const { text } = await ask(agent(noise), { ...asked, trial: { key } }, task)
    const { scores } = JSON.parse(text) as { scores: z.infer<typeof entry>[] }
    return paths.map((path) => scores.filter(({ target }) => target === path).map(({ score }) => score))
  }
  const known = async () => {
    const { wrong } = await buildPool(task, grade, { cache: undefined })
    const bad = wrong
      .toSorted((a, b) => a.quality - b.quality)
      .map(({ submission }) => ('answer' in submission ? submission.answer : ''))
    return {
      right: task.hidden.solution?.answer?.trim() ?? '',
      worst: bad[0] ?? '',
      better: bad.at(-1) ?? '',
      wrong,
    }
  }

  it('score each text by its own quality, as the graders of the task say', async () => {
    const { right, worst, better, wrong } = await known()
    expect(new Set(wrong.map(({ quality }) => quality)).size).toBeGreaterThan(1)
    const [ada = [], ben = [], cleo = []] = await scoresOf([worst, right, better])
    expect(ben).toEqual([10, 10])
    expect(Math.max(...ada)).toBeLessThan(Math.min(...cleo))
    expect(Math.max(...cleo)).toBeLessThan(8.2)
    // A later round with a better text is seen as better.
    const [later = []] = await scoresOf([better, right, better])
    expect(Math.min(...later)).toBeGreaterThan(Math.max(...ada))
    expect(await scoresOf([worst, right, better], 0, '', (path) => `by="${path.slice(7, -3)}"`)).toEqual([
      ada,
      ben,
      cleo,
    ])
  })

  it('differ by criterion and from each other, agree about the better text, and say the same again', async () => {
    const { right, worst } = await known()
    const texts = [worst, right, worst]
    const audits = await Promise.all(
      ['ada', 'ben', 'cleo'].map((name) => scoresOf(texts, 0.08, `audit.${name}#1`)),
    )
    expect(new Set(audits.flat(2)).size).toBeGreaterThan(10)
    for (const [first = [], second = [], third = []] of audits) {
      expect(Math.min(...second)).toBeGreaterThan(Math.max(...first, ...third))
      expect(first[0]).not.toBe(first[1])
    }
    expect(await scoresOf(texts, 0.08, 'audit.ben#1')).toEqual(audits[1])
  })
})

describe('a task graded by rules', () => {
  const problemsOf = (text: string) => {
    const path = writeTexts(tempFolder(), 'suite/sum', { ...answer, 'task.yaml': text })
    return loadTaskFolder(path).problems.map((problem) => formatProblem(problem).replaceAll(`${path}/`, ''))
  }
  const graders = (...lines: string[]) =>
    yaml('sum', `output: answer\ngraders:\n${lines.map((line) => `  - ${line}\n`).join('')}`)

  it.each([
    ['a min above its max', 'words: { min: 9, max: 8 }', 'has a min above its max'],
    ['no number of words', 'forbid: [list]', 'words] is missing'],
    ['an unknown block', 'words: { min: 1, max: 8 }, forbid: [lists]', 'Did you mean list?'],
    ['a fact without a spelling', 'words: { min: 1, max: 8 }, facts: [[]]', 'facts.0]'],
    ['an empty spelling', 'words: { min: 1, max: 8 }, facts: [[" "]]', 'facts.0.0] must not be empty'],
  ])('is refused with %s', (_, fields, problem) => {
    expect(problemsOf(graders(`{ kind: rules, ${fields} }`)).join('\n')).toContain(problem)
  })

  it('is refused beside a grader of the last line', () => {
    const both = graders(
      '{ kind: rules, words: { min: 1, max: 8 } }',
      '{ kind: exact, name: word, answer: three }',
    )
    expect(problemsOf(both).join('\n')).toContain('judges the whole reply')
  })
})
