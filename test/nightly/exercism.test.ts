import pMap from 'p-map'
import { expect, it } from 'vitest'
import { mutants } from '../../src/agents/mutants/mutate.ts'
import { grade } from '../../src/graders/grade.ts'
import { faultText } from '../../src/loop/proof/proof-round.ts'
import { proveTasks } from '../../src/loop/proof/prove-tasks.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Files, Task } from '../../src/schema/task.ts'
import { exercism } from '../../src/suites/exercism/exercism.ts'
import { loadSuite } from '../../src/suites/load-suite.ts'
import { needs } from '../helpers/house/needs.ts'

// The tracks are not part of this package: BENCH_EXERCISM names the folder of one.
const path = process.env.BENCH_EXERCISM ?? ''
const { signal } = new AbortController()

/** Exercises in refactoring: what they give passes already. */
const solvedAtFirst = ['ledger', 'markdown']

needs('a track of Exercism in BENCH_EXERCISM').describe(
  'a track of Exercism',
  { timeout: 4 * 60 * 60 * 1000 },
  async () => {
    const { tasks, problems } = path
      ? await loadSuite(exercism, { path, parameters: { deprecated: 'yes' } })
      : { tasks: [], problems: [] }
    const { run } = await openSandbox('auto')

    it('is read without a problem', () => expect(problems).toEqual([]))

    it('passes with each reference, and fails with each stub', async () => {
      const once = { twice: false, generate: 0, seed: 1 }
      const proofs = await proveTasks(tasks, { run, signal, concurrency: 2, ...once })
      const failed = proofs
        .filter(({ state }) => state !== 'proved')
        .map((proof) => `${proof.task}: ${faultText(proof)}`)
      const expected = tasks
        .filter(({ spec }) => solvedAtFirst.includes(spec.id))
        .map(({ ref }) => `${ref}: an empty answer passes`)
      expect(failed).toEqual(expected)
    })

    it('never shows its references', () => {
      const shown = tasks.filter(({ instruction, files, hidden }) =>
        Object.values(hidden.solution?.files ?? {}).some(
          (text) => instruction.includes(text) || Object.values(files).includes(text),
        ),
      )
      expect(shown.map(({ ref }) => ref)).toEqual([])
    })

    it('fails most of the references with one edit; a survivor is an equal program or a weak test', async () => {
      const results = await pMap(tasks, (task) => survivorOf(task), { concurrency: 2 })
      const survivors = results.filter((label) => label !== undefined)
      process.stdout.write(`${survivors.length} of ${tasks.length} survive:\n${survivors.join('\n')}\n`)
      expect(survivors.length).toBeLessThan(tasks.length / 4)
    })

    /** Grades one mutant of a reference; returns its name if it passes. */
    async function survivorOf(task: Task): Promise<string | undefined> {
      const reference: Files = task.hidden.solution?.files ?? {}
      const [mutant] = mutants(reference, task.ref)
      if (!mutant) return undefined
      const graders = task.spec.graders.map((spec) => ({ ...spec, timeoutMs: 60_000 }))
      const hurried = { ...task, spec: { ...task.spec, graders } } as Task
      const files = { ...task.files, ...reference, [mutant.path]: mutant.content }
      const { passed } = await grade(hurried, { files, answer: undefined, run, signal })
      return passed ? `${task.ref}: ${mutant.label}` : undefined
    }
  },
)
