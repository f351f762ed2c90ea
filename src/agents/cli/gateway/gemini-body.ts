import { list, ofProvider, only, record, type Shape, type Shapes, setting } from './findings.ts'

/** Google takes both spellings of a field. */
const camel = (field: string) => field.replace(/(?<!^)_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const of = (free: string, shapes?: Shapes) => record(free, shapes, camel)
const settingOf = (free: string, shapes?: Shapes) => setting(free, shapes, camel)

const parts: Shape = (value, place) => partOf(value, place)
const partOf = list(
  of('text thought thoughtSignature functionCall videoMetadata mediaResolution partMetadata', {
    inlineData: of('mimeType data displayName'),
    functionResponse: of('id name response willContinue scheduling', { parts }),
  }),
)
const content = list(of('role', { parts }))

const functionDeclarations = list(
  of('name description parameters parametersJsonSchema response responseJsonSchema behavior'),
)
const client = of('', { functionDeclarations })
const tools = list(function* (tool) {
  for (const finding of client(tool, 'a tool'))
    yield { ...finding, problem: `offers the tool "${finding.name}", which the provider runs` }
})

const modalities = list((modality) =>
  /^text$/i.test(String(modality))
    ? []
    : [ofProvider(String(modality), `asks for a reply of ${modality}`, modality)],
)

/** Judges the body of a request to Gemini. */
export const geminiBody = settingOf('model safetySettings labels', {
  contents: content,
  systemInstruction: (value, place) => (typeof value === 'string' ? [] : content(value, place)),
  tools,
  toolConfig: of('functionCallingConfig'),
  generationConfig: settingOf(
    'temperature topP topK candidateCount maxOutputTokens stopSequences seed responseMimeType responseSchema ' +
      'responseJsonSchema _responseJsonSchema presencePenalty frequencyPenalty responseLogprobs logprobs mediaResolution',
    {
      thinkingConfig: settingOf('thinkingBudget includeThoughts thinkingLevel'),
      responseModalities: modalities,
    },
  ),
  cachedContent: only(true, ''),
})
