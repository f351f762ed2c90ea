// Reads zod schemas as they are written: their fields, with what comments and `.describe()` say of each.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from '@babel/parser'

/** Returns a Markdown list of the fields of a schema that a file exports. Fields without a word of their own share a line. */
export function fieldList(path, name) {
  const said = []
  const plain = []
  for (const { names, text } of fieldsOf(path, name))
    if (text === '') plain.push(...names)
    else said.push(`- ${names.map(code).join(', ')}: ${text}`)
  return [...(plain.length > 0 ? [`- ${plain.map(code).join(', ')}`] : []), ...said].join('\n')
}

/** Returns a Markdown item for each kind of a union: the kind, what it is, and its fields but those in `common`. */
export function kindRows(path, name, common) {
  return optionsOf(path, name)
    .map((one) => {
      const fields = fieldsOf(one.path, one.name).filter(({ names: [first] }) => !common.has(first))
      const parts = fields.map(
        ({ names, text }) => `${names.map(code).join(', ')}${text && ` (${endless(text)})`}`,
      )
      return `- **\`${kindOf(one)}\`**: ${endless(find(one.path, one.name).comment)}. ${parts.join('; ') || 'No more'}.`
    })
    .join('\n')
}

const code = (text) => `\`${text}\``
const endless = (text) => text.replace(/\.$/, '')
const files = new Map()

function declarationsOf(path) {
  if (files.has(path)) return files.get(path)
  const { program } = parse(readFileSync(path, 'utf8'), { sourceType: 'module', plugins: ['typescript'] })
  const found = new Map()
  files.set(path, found)
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration' && node.source.value.startsWith('.'))
      for (const { local, imported } of node.specifiers)
        found.set(local.name, { from: join(dirname(path), node.source.value), name: imported?.name })
    const { declarations = [] } = node.declaration ?? (node.type === 'VariableDeclaration' ? node : {})
    for (const { id, init } of declarations) found.set(id.name, { path, init, comment: commentOf(node) })
  }
  return found
}

function find(path, name) {
  const one = existsSync(path) ? declarationsOf(path).get(name) : undefined
  return one?.from ? find(one.from, one.name) : one
}

function commentOf(node) {
  const comments = node.leadingComments ?? []
  const text = comments.at(-1)?.value.startsWith('*') ? comments.at(-1).value : ''
  return text
    .replaceAll(/^\s*\*+ ?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The object of fields within an expression such as `z.array(z.object({ … })).optional()`, if there is one. */
function objectIn(node) {
  if (node?.type !== 'CallExpression') return undefined
  const {
    callee,
    arguments: [first],
  } = node
  const method = callee.property?.name
  if (['object', 'strictObject'].includes(method) && first?.type === 'ObjectExpression') return first
  return (
    objectIn(callee.object) ??
    (['array', 'record'].includes(method) ? objectIn(node.arguments.at(-1)) : undefined)
  )
}

function describedIn(node) {
  if (node?.type !== 'CallExpression') return ''
  const {
    callee,
    arguments: [first],
  } = node
  if (callee.property?.name === 'describe' && first?.type === 'StringLiteral') return first.value
  return describedIn(callee.object)
}

/** The words of an enumeration within an expression such as `z.enum(['a', 'b']).optional()`. */
function wordsIn(node) {
  if (node?.type !== 'CallExpression') return []
  const [first] = node.arguments
  if (node.callee.property?.name === 'enum' && first?.type === 'ArrayExpression')
    return first.elements.map(({ value }) => value)
  return wordsIn(node.callee.object)
}

/** The schema that an expression such as `z.array(Score).optional()` names, if it names one. */
function namedIn(node) {
  if (node?.type === 'Identifier') return node.name === 'z' ? undefined : node.name
  if (node?.type !== 'CallExpression') return undefined
  const method = node.callee.property?.name
  return (
    namedIn(node.callee.object) ??
    (['array', 'record', 'partialRecord'].includes(method) ? namedIn(node.arguments.at(-1)) : undefined)
  )
}

function fieldsOf(path, name, depth) {
  const { init, path: home } = find(path, name) ?? {}
  return fieldsIn(objectIn(init), home, depth)
}

/** The fields of an object of schemas. Schemas that a field names are followed down to `depth`. */
function fieldsIn(object, path, depth = 1) {
  return (object?.properties ?? []).flatMap((one) => {
    // ...Common.shape
    if (one.type === 'SpreadElement') return fieldsOf(path, one.argument.object?.name, depth)
    const inner = objectIn(one.value)
    const named = namedIn(one.value)
    const declared = named && depth > 0 ? find(path, named) : undefined
    const parts = inner ? fieldsIn(inner, path, depth - 1) : declared ? fieldsOf(path, named, depth - 1) : []
    const words = [...wordsIn(one.value), ...wordsIn(declared?.init)].map(code).join(', ')
    const list = parts.map(
      ({ names, text }) => `${names.map(code).join(', ')}${text && ` (${endless(text)})`}`,
    )
    const said = [commentOf(one), describedIn(one.value)].filter((text) => text !== '').join(' ')
    const more = [words && `One of ${words}.`, list.length > 0 && `With ${list.join('; ')}.`]
    return [{ names: [one.key.name], text: [said, ...more].filter(Boolean).join(' ') }]
  })
}

function optionsOf(path, name) {
  const { init, path: home } = find(path, name) ?? {}
  const { elements = [] } = init?.arguments?.at(-1) ?? {}
  return elements.flatMap((one) => (one.type === 'Identifier' ? [{ path: home, name: one.name }] : []))
}

function kindOf({ path, name }) {
  const { init } = find(path, name)
  const field = objectIn(init).properties.find((one) => ['kind', 'type'].includes(one.key?.name))
  return field.value.arguments[0].value
}
