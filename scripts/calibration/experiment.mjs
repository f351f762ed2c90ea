// One experiment: new tasks, a dev run through plan, trials, records on disk and report, and what came out.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../dist/bench/api.js'
import { seededRandom } from '../../dist/src/base/random.js'

/** Runs experiments of a world in a folder that `end` removes; `firstSeed` and the next ones are theirs alone. */
export function laboratory(world, firstSeed) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-calibration-'))
  const profile = join(folder, 'profile.yaml')
  const labels = Array.from({ length: world.methods }, (_, index) => `m${index}`)
  const effects = world.effect ? { m0: world.effect } : {}
  // JSON is YAML.
  writeFileSync(profile, JSON.stringify({ ...world.profile, effects }))
  return {
    /** The comparison of experiment `number`, as the report has it. */
    async experiment(number) {
      const place = join(folder, String(number))
      writeTasks(join(place, 'tasks'), world.tasks, seededRandom(`calibration/${world.name}/${number}`))
      try {
        const { comparison } = await run({
          tasks: `native:${join(place, 'tasks')}`,
          methods: labels.map((label) => `${label}=baseline`),
          mode: 'dev',
          epochs: world.epochs,
          seed: firstSeed + number,
          profile,
          retries: 0,
          parallel: 1,
          baseline: labels.at(-1),
          calibration: true,
          out: join(place, 'run'),
        })
        return comparison
      } finally {
        rmSync(place, { recursive: true })
      }
    },
    end: () => rmSync(folder, { recursive: true }),
  }
}

function writeTasks(folder, tasks, random) {
  for (let number = 0; number < tasks; number++) {
    const task = join(folder, `number-${number}`)
    mkdirSync(join(task, 'solution'), { recursive: true })
    const spec = {
      id: `number-${number}`,
      version: 1,
      title: `Say ${number}`,
      output: 'answer',
      graders: [{ kind: 'numeric', answer: number }],
      licence: 'MIT',
      source: 'made for the calibration',
      properties: { difficulty: random() },
    }
    writeFileSync(join(task, 'task.yaml'), JSON.stringify(spec))
    writeFileSync(join(task, 'instruction.md'), `Say the number ${number}.\n`)
    writeFileSync(join(task, 'solution/answer.txt'), `${number}\n`)
  }
}
