import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { Machine } from '../../../src/schema/machine/machine-file.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { readMachine } from '../../../src/workflows/document/read-machine.ts'
import { renderTemplate, TemplateError, templateNeeds } from '../../../src/workflows/document/template.ts'
import { badMachines } from '../fanout/bad-machines.ts'
import { machineText, personaFiles } from '../fanout/machines.ts'
import { expectProblems, type Fuzz } from './fuzz.ts'
import { damage } from './mutations.ts'
import { placesIn } from './places.ts'

/** Declares the tests that damage machines and their personas. */
export function fuzzMachines(fuzz: Fuzz): void {
  const texts = fc.constantFrom(machineText(), ...Object.values(badMachines).map(({ text }) => text))

  it(`bench refuses a damaged machine with line, column and field, or reads it (${fuzz.times})`, async () => {
    await fuzz.check([texts, damage], (text, mutate) => check(mutate(Buffer.from(text)).toString()))
  })

  it(`bench refuses a machine with a changed field, or reads it (${fuzz.times})`, async () => {
    const words = [
      '',
      'task',
      'draft',
      'halt',
      'ada',
      'writer',
      'constructor',
      '__proto__',
      '{agent}',
      '*',
      'a/b.md',
    ]
    const strange = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        0,
        -1,
        1.5,
        true,
        [],
        {},
        ...words,
        ['ada'],
        { success: 'halt' },
        { a: 1 },
      ),
      fc.constantFrom('initial', 'fan-out', 'single', 'orchestrator-task', 'human-approval', 'terminal'),
      fc.jsonValue({ maxDepth: 2 }),
    )
    await fuzz.check([fc.nat(), strange, fc.boolean()], (place, value, isRemoved) => {
      const data = parse(machineText()) as Record<string, unknown>
      const places = placesIn(data)
      const [parent, key] = places[place % places.length] ?? [data, 'name']
      if (isRemoved) delete parent[key]
      else parent[key] = value
      check(JSON.stringify(data))
    })
  })

  it(`bench refuses a damaged persona with line and column, or renders it (${fuzz.times})`, async () => {
    const personas = fc.constantFrom(
      ...Object.values(personaFiles),
      '{% for a in (1..9) %}{% if a > 3 %}{{ a | plus: 1 }}{% elsif a == b %}{% break %}{% endif %}{% endfor %}',
      '{% case task %}{% when "a" %}{% assign x = inputs | where: "agent", "ada" %}{% else %}{{ x[0].text }}{% endcase %}',
    )
    await fuzz.check([personas, damage], (text, mutate) => {
      const damaged = mutate(Buffer.from(text)).toString()
      const problems: Problem[] = []
      const files = { ...personaFiles, 'personas/writer.md': damaged }
      const read = (path: string) => (files as Record<string, string>)[path]
      const machine = readMachine(machineText(), 'm.yaml', problems, { read })
      if (machine) expect(problems).toEqual([])
      else expectProblems(problems, /^(?:m\.yaml:\d+:\d+ .+|personas\/writer\.md(?::\d+:\d+)?)$/)
      try {
        templateNeeds(damaged)
        renderTemplate(damaged, {
          task: 'a',
          guidance: '',
          agent: 'ada',
          inputs: [],
          drafts: [],
          agent_list: '',
        })
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError)
      }
    })
  })
}

/** A machine is refused with places, or is the same when what was read is written and read again. */
function check(text: string): void {
  const problems: Problem[] = []
  const around = {
    read: (path: string) => (Object.hasOwn(personaFiles, path) ? personaFiles[path] : undefined),
  }
  const source = readMachine(text, 'm.yaml', problems, around)
  if (!source) {
    expectProblems(problems, /^(?:m\.yaml(?::\d+:\d+(?: .+)?)?|personas\/.+)$/s)
    return
  }
  expect(problems).toEqual([])
  expect(Machine.parse(source.machine)).toEqual(source.machine)
  const { digest, personas, ...file } = source.machine
  const files = Object.fromEntries(Object.entries(personas).map(([name, { file: path }]) => [name, path]))
  const again = readMachine(stringify({ ...file, personas: files }), 'again.yaml', problems, around)
  expect(problems).toEqual([])
  expect(again?.machine.digest).toBe(digest)
}
