import { z } from 'zod'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { readMethodText } from '../../loop/plan/method-text.ts'
import { rolesOf } from '../../loop/plan/row-agents.ts'
import { isPromise } from '../../schema/method/ask-options.ts'
import { Declaration, type Flow, isSequence } from '../../schema/method/declaration.ts'
import { Mechanism } from '../../schema/method/mechanism.ts'
import type { Strategy } from '../../strategy.ts'
import { type Problem, thrownText } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import { shellWord } from '../../text/shell-word.ts'

const name = z
  .string('must be a text')
  .regex(/^[a-z][a-z0-9-]*$/, 'must consist of small letters, digits and dashes, and begin with a letter')
const words = z.string('must be a text')
const isFunction = (value: unknown) => typeof value === 'function'
const works = ['produce', 'judge', 'summarise', 'decide'] as const

const fields = {
  name,
  aliases: z.array(name, 'must be a list of names').optional(),
  summary: words,
  // A union of function and object would hide what is wrong with the object.
  declaration: z
    .unknown()
    .superRefine((value, context) => {
      if (value === undefined || typeof value === 'function') return
      for (const { path, message } of Declaration.safeParse(value, inWords).error?.issues ?? [])
        context.addIssue({ code: 'custom', path, message })
    })
    .optional(),
  roles: z
    .record(z.string(), z.enum(works, `must be one of ${works.join(', ')}`), 'must be an object')
    .refine((roles) => Object.keys(roles).length > 0, 'must name at least one role'),
  options: z.custom<z.ZodObject>((value) => value instanceof z.ZodObject, {
    error: "must be a zod object: import { z } from 'orchestration-bench', and write z.strictObject({ … })",
  }),
  attempts: z.string('must be the name of an option').optional(),
  programs: z
    .array(z.string(), 'must be a list')
    .max(0, 'must be empty: it says that the method starts programs; only built-in methods name theirs')
    .optional(),
  mixes: z.literal(true, 'must be true where it is given').optional(),
  gradesCandidates: z.literal(true, 'must be true where it is given').optional(),
  mechanisms: z.unknown().optional(),
  conditionsOf: z.custom(isFunction, { error: 'must be a function' }).optional(),
  document: z.string('must be the name of an option').optional(),
  asksModels: z.custom(isFunction, { error: 'must be a function' }).optional(),
  resolve: z.custom(isFunction, { error: 'must be a function' }).optional(),
  rolesOf: z.custom(isFunction, { error: 'must be a function' }).optional(),
  agentsOf: z.custom(isFunction, { error: 'must be a function' }).optional(),
  toolsOf: z.custom(isFunction, { error: 'must be a function' }).optional(),
  run: z.custom(isFunction, { error: 'must be a function' }),
}
const Shape = z.strictObject(fields, {
  error: (issue) =>
    issue.code === 'unrecognized_keys'
      ? `has no field "${issue.keys.join('", "')}"; there are ${Object.keys(fields).join(', ')}`
      : 'is not a strategy',
})

/** Returns every problem of what a file exports as a strategy, each as `field: fact`; empty if it can run. */
export function strategyProblems(value: unknown): string[] {
  const { data, error } = Shape.safeParse(value, inWords)
  if (error)
    return error.issues.map(
      ({ path, message }) => `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`,
    )
  const defaults = data.options.safeParse({}, inWords)
  if (defaults.error)
    return defaults.error.issues.map(
      ({ path, message }) => `options.${path.join('.')}: needs a default (${message})`,
    )
  const strategy = value as Strategy
  const unknown = (['attempts', 'document'] as const).flatMap((field) => {
    const option = strategy[field]
    if (option === undefined || Object.hasOwn(data.options.shape, option)) return []
    return [`${field}: names the option "${option}", which is not in options`]
  })
  if (unknown.length > 0) return unknown
  return declarationProblems(strategy, defaults.data)
}

type Values = Record<string, unknown>

// A name that stood twice would count its trials twice.
const Mechanisms = z
  .array(Mechanism, 'must be a list')
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'must have each name once')

/** Returns the problems of what a strategy declares: shapes, and roles and options that it does not have. */
export function declarationProblems(strategy: Strategy, values: Values): string[] {
  const flow = readField(strategy, 'declaration', Declaration, values)
  const mechanisms = readField(strategy, 'mechanisms', Mechanisms, values)
  return [
    ...('data' in flow ? nameProblems(strategy, flow.data, values) : flow.problems),
    ...('data' in mechanisms ? [] : mechanisms.problems),
  ]
}

/** Reads a field that may be a function of the options, which are valid. Without problems and data there is no such field. */
function readField<Data>(
  strategy: Strategy,
  field: 'declaration' | 'mechanisms',
  shape: z.ZodType<Data>,
  values: Values,
): { data: Data } | { problems: string[] } {
  const { [field]: given } = strategy
  if (given === undefined) return { problems: [] }
  let declared: unknown = given
  try {
    if (typeof given === 'function') declared = given(values)
  } catch (error) {
    return {
      problems: [
        `${field}: the function threw for the options ${JSON.stringify(values)}: ${thrownText(error)}`,
      ],
    }
  }
  if (isPromise(declared)) {
    ;(declared as Promise<unknown>).catch(() => {})
    return { problems: [`${field}: is a promise; write its function without \`async\``] }
  }
  const { data, error } = shape.safeParse(declared, inWords)
  if (data !== undefined) return { data }
  return {
    problems: (error?.issues ?? []).map(({ path, message }) => `${[field, ...path].join('.')}: ${message}`),
  }
}

function nameProblems(strategy: Strategy, data: Declaration, values: Values): string[] {
  const { options } = strategy
  const roles = rolesOf(strategy, values)
  const named = namesIn(data.flow)
  const unknown = [
    ...named.roles,
    ...(data.onDemand ?? []),
    ...(data.chooser === undefined ? [] : [data.chooser]),
  ].filter((role) => !Object.hasOwn(roles, role))
  const uncounted = named.options.filter((option) => !Object.hasOwn(options.shape, option))
  return [
    ...unknown.map((role) => `declaration: names the role "${role}", which is not in roles`),
    ...uncounted.map((option) => `declaration: counts by "${option}", which is not in options`),
  ]
}

function namesIn(flow: Flow): { roles: string[]; options: string[] } {
  if (typeof flow === 'string') return { roles: [flow], options: [] }
  if ('graph' in flow)
    return {
      roles: flow.graph.flatMap(({ role, inserts }) => [role, ...(inserts?.roles ?? [])]),
      options: [],
    }
  if ('machine' in flow)
    return {
      roles: [
        ...flow.machine.flatMap(({ roles }) => roles),
        ...(flow.decider === undefined ? [] : [flow.decider]),
      ],
      options: [],
    }
  const parts = partsOf(flow).map(namesIn)
  const { most, times, until } = { most: undefined, times: undefined, until: undefined, ...flow }
  return {
    roles: [...parts.flatMap(({ roles }) => roles), ...(until === undefined ? [] : [until])],
    options: [
      ...parts.flatMap(({ options }) => options),
      ...[most, times].filter((count) => typeof count === 'string'),
    ],
  }
}

function partsOf(flow: Exclude<Flow, string | { graph: unknown } | { machine: unknown }>): readonly Flow[] {
  if (isSequence(flow)) return flow
  if ('either' in flow) return flow.either
  if ('maybe' in flow) return [flow.maybe]
  return 'beside' in flow ? [flow.beside] : [flow.repeat]
}

/**
 * Names the quotes as the remedy where an item of `--methods` is no method because it stands behind a comma of a command. `items` are as
 * typed, in their order.
 */
export function namingQuotes(
  problems: readonly Problem[],
  items: readonly string[],
  known: readonly KnownStrategy[],
): Problem[] {
  const problemOf = (item: string | undefined) => problems.find(({ where }) => where === `--methods ${item}`)
  const isCommand = (item = '') =>
    known.some(({ strategy }) => strategy.asksModels && strategy.name === readMethodText(item)?.name)
  return problems.map((problem) => {
    const place = items.findIndex((item) => problemOf(item) === problem)
    const before = items[place - 1]
    if (before === undefined || !/^(?:there is no|is not a) method/.test(problem.what)) return problem
    const command = items.slice(0, place).findLastIndex(isCommand)
    if (command < 0 || items.slice(command + 1, place).some((item) => !problemOf(item))) return problem
    const word = `${before.split(/\s+/).at(-1)},${items[place]?.split(/\s+/)[0]}`.replace(/["'\\]/g, '')
    const fix = `If it belongs to the command before it, put quotes around its word there: '${word}'. Else see bench methods.`
    return { ...problem, fix }
  })
}

/** Refuses labels that two methods have. The remedy is the whole list, each `item` of it as typed, with new labels where one is repeated. */
export function repeatedLabels(
  text: string,
  selected: readonly { label: string; item: string }[],
): Problem[] {
  const labels = selected.map(({ label }) => label)
  const isRepeated = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label)
  const free = Array.from({ length: 26 + labels.length }, (_, i) =>
    i < 26 ? String.fromCharCode(65 + i) : `M${i + 1}`,
  ).filter((label) => isRepeated(label) || !labels.includes(label))
  const items = selected.map(({ label, item }) =>
    isRepeated(label) ? `${free.shift()}=${item.replace(/^[\w.-]+=/, '')}` : item,
  )
  return [...new Set(labels.filter(isRepeated))].map((label) => ({
    where: `--methods ${text}`,
    what: `the label "${label}" is used twice`,
    fix: `Give each method its own label: ${shellWord(items.join(','))}.`,
  }))
}
