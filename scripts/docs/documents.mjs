// Lists the fields of documents from their schemas, as editors get them.
import { createJiti } from 'jiti'
import { z } from 'zod'

const jiti = createJiti(import.meta.url)

/** Returns a Markdown list of the fields of a zod schema that a module exports, each with its description where it has one. */
export async function documentFields(module, name) {
  const schema = z.toJSONSchema((await jiti.import(`../../src/${module}`))[name], {
    io: 'input',
    unrepresentable: 'any',
  })
  const said = new Map()
  walk(schema, '', schema.$defs ?? {}, [], said)
  const plain = [...said].flatMap(([path, text]) => (text === '' ? [`\`${path}\``] : []))
  const items = [...said].flatMap(([path, text]) => (text === '' ? [] : [`- \`${path}\`: ${text}`]))
  return [...(plain.length > 0 ? [`- ${plain.join(', ')}`] : []), ...items].join('\n')
}

function walk(schema, path, parts, open, said) {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)
    // Patterns hold each other.
    if (!open.includes(name) && parts[name]) walk(parts[name], path, parts, [...open, name], said)
    return
  }
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    walk(one, path, parts, open, said)
  if (schema.items) walk(schema.items, path, parts, open, said)
  if (typeof schema.additionalProperties === 'object')
    walk(schema.additionalProperties, `${path}NAME.`, parts, open, said)
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (path.split('.').length > 4) continue
    const text = (field.description ?? '').replaceAll(/\s+/g, ' ').trim()
    if (!said.get(path + name)) said.set(path + name, text)
    walk(field, `${path}${name}.`, parts, open, said)
  }
}
