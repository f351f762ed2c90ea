import type { Task } from '../../schema/task.ts'
import { type Fact, factText } from '../../schema/task-condition.ts'

/** Returns what tasks can be selected by: what the specification states, and every property. What is not stated is absent. */
export function factsOf({ suite, spec }: Task): Readonly<Record<string, Fact>> {
  const { language, output, licence, requires, graders, properties, tags = [] } = spec
  const stated: [string, Fact][] = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  const facts: [string, Fact][] = [
    ...Object.entries({ suite, language, output, licence, requires, tag: tags }),
    ['grader', [...new Set(graders.map(({ kind }) => kind))]],
    ...stated,
  ]
  // Users name facts: `constructor` must not find what every object inherits.
  return Object.assign(Object.create(null), Object.fromEntries(facts))
}

/** Returns what a method may know of a task: the facts by which tasks are selected, without how it is graded. */
export function shownFacts(task: Task): Readonly<Record<string, Fact>> {
  const { grader: _, ...facts } = factsOf(task)
  return Object.assign(Object.create(null), facts)
}

/** Returns the values that tasks state of a fact: `0.2 to 0.9 in 12 tasks`, or words with their number of tasks. */
export function valuesText(tasks: readonly Task[], name: string): string {
  const values = tasks.flatMap((task) => {
    const fact = factsOf(task)[name]
    return fact === undefined ? [] : [fact]
  })
  const numbers = values.filter((value) => typeof value === 'number')
  if (numbers.length > 0) {
    const [low, high] = numbers.reduce(([a, b], n) => [Math.min(a, n), Math.max(b, n)], [
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ] as [number, number])
    return `${low === high ? factText(low) : `${factText(low)} to ${factText(high)}`} in ${numbers.length} of ${tasks.length} tasks`
  }
  const counts = new Map<string, number>()
  for (const value of values)
    for (const word of typeof value === 'object' ? value : [String(value)])
      counts.set(word, (counts.get(word) ?? 0) + 1)
  const listed = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  const more = listed.length - mostListed
  return [
    ...listed.slice(0, mostListed).map(([word, count]) => `${word} (${count})`),
    ...(more > 0 ? [`${more} more`] : []),
  ].join(', ')
}

const mostListed = 12
