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
  walk(schema, '', { shapes: new Map(), parts: schema.$defs ?? {}, open: [], said })
  const plain = [...said].flatMap(([path, text]) => (text === '' ? [`\`${path}\``] : []))
  const items = [...said].flatMap(([path, text]) => (text === '' ? [] : [`- \`${path}\`: ${text}`]))
  return [...(plain.length > 0 ? [`- ${plain.join(', ')}`] : []), ...items].join('\n')
}

/** Adds the fields of a schema below `path`. `shapes` has the first place of each object, where its fields are listed. */
function walk(schema, path, state) {
  const { shapes, parts, open, said } = state
  const part = schema.$ref?.split('/').at(-1)
  // Patterns hold each other.
  if (part !== undefined && !open.includes(part))
    walk(parts[part] ?? {}, path, { ...state, open: [...open, part] })
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    walk(one, path, state)
  if (schema.items) walk(schema.items, path, state)
  if (typeof schema.additionalProperties === 'object')
    walk(schema.additionalProperties, `${path}NAME.`, state)
  if (!schema.properties || path.split('.').length > 4) return
  const shape = JSON.stringify(schema.properties)
  const first = shapes.get(shape) ?? path
  shapes.set(shape, first)
  if (first !== path && Object.keys(schema.properties).length > 2) {
    const [place, as] = [path.slice(0, -1), `As \`${first.slice(0, -1)}\`.`]
    const text = said.get(place) ?? ''
    if (!text.includes('As `')) said.set(place, `${text} ${as}`.trim())
    return
  }
  for (const [name, field] of Object.entries(schema.properties)) {
    const text = (field.description ?? '').replaceAll(/\s+/g, ' ').trim()
    if (!said.get(path + name)) said.set(path + name, text)
    walk(field, `${path}${name}.`, state)
  }
}
