import { isObject } from '../../../../text/is-object.ts'
import type { Json } from '../../../wire/json.ts'
import { type Fields, type Finding, fieldFindings, flat, ofProvider } from '../findings.ts'

const fields: Fields = {
  free: new Set([
    ...[
      'model',
      'contents',
      'systemInstruction',
      'tools',
      'toolConfig',
      'generationConfig',
      'safetySettings',
    ],
  ]),
  providers: new Set(['cachedContent']),
}

const generation: Fields = {
  free: new Set([
    ...['temperature', 'topP', 'topK', 'candidateCount', 'maxOutputTokens', 'stopSequences', 'seed'],
    ...['responseMimeType', 'responseSchema', 'responseJsonSchema', 'presencePenalty', 'frequencyPenalty'],
    ...['responseLogprobs', 'logprobs', 'thinkingConfig', 'mediaResolution', 'responseModalities'],
  ]),
}

const ofTools: Fields = {
  free: new Set(['functionDeclarations']),
}

const partFields: Fields = {
  free: new Set([
    ...['text', 'thought', 'thoughtSignature', 'inlineData', 'functionCall', 'functionResponse'],
    ...['videoMetadata', 'mediaResolution', 'partMetadata'],
  ]),
}

/** Google takes both spellings of a field. */
const camel = (field: string) => field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Returns the values of a field in either spelling. */
const valuesOf = (object: Json, name: string): unknown[] =>
  Object.entries(object).flatMap(([field, value]) => (camel(field) === name ? flat(value) : []))

/** Judges the body of a request to Gemini. */
export function* geminiFindings(body: Json): Generator<Finding> {
  yield* fieldFindings(body, fields, 'its body', camel)
  for (const tool of valuesOf(body, 'tools'))
    for (const { name } of isObject(tool) ? fieldFindings(tool, ofTools, 'a tool', camel) : [])
      yield ofProvider(name, `offers the tool "${name}", which the provider runs`)
  for (const config of valuesOf(body, 'toolConfig').filter(isObject))
    for (const { name } of fieldFindings(config, { free: new Set(['functionCallingConfig']) }, '', camel))
      yield ofProvider(name, `has the field "${name}" in toolConfig, which is for tools of the provider`)
  for (const config of valuesOf(body, 'generationConfig').filter(isObject)) {
    yield* fieldFindings(config, generation, 'generationConfig', camel)
    for (const modality of valuesOf(config, 'responseModalities'))
      if (modality !== 'TEXT') yield ofProvider(String(modality), `asks for a reply of ${modality}`)
  }
  for (const content of [...valuesOf(body, 'contents'), ...valuesOf(body, 'systemInstruction')])
    if (isObject(content)) yield* partsOf(content)
}

/** Judges parts, also those that the result of a function has. */
function* partsOf(content: Json): Generator<Finding> {
  for (const part of valuesOf(content, 'parts').filter(isObject)) {
    for (const { name } of fieldFindings(part, partFields, '', camel))
      yield ofProvider(name, `has a part "${name}" in its contents, which bench does not let pass`)
    for (const response of valuesOf(part, 'functionResponse').filter(isObject)) yield* partsOf(response)
  }
}
