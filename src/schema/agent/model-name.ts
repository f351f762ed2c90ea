/** What the name of a model tells. */
export interface ModelName {
  /** Numbers of its version in order: `3`, `1`; also `4o`. */
  versions: string[]
  /** Sizes and context sizes: `70b`, `8x7b`, `32k`. */
  sizes: Set<string>
  /** Digits of a release date: `20250929`, `0613`. */
  date: string | undefined
  /** Words that tell models of a family apart: `mini`, `flash`, `coder`. */
  variants: Set<string>
  families: Set<string>
  words: Set<string>
  /** The name stands for no certain model, such as `auto`, `default` or `my-deployment`. */
  isOpen: boolean
}

/** A longer name cannot be that of a model. */
const longest = 300

/** Reads a name as servers write it: with vendors, regions, paths, file names, dates, quantizations and suffixes of routers. */
export function readModelName(name: string): ModelName {
  const { date, rest } = takeDate(plainName(name))
  const parts = rest.split(/[^a-z0-9.]+/).flatMap(splitPart)
  const found: ModelName = {
    ...{ date, versions: [], sizes: new Set(), variants: new Set() },
    ...{ families: new Set(), words: new Set(), isOpen: false },
  }
  let isRouter = name.startsWith('@preset/')
  for (const part of parts) {
    if (routers.has(part)) isRouter = true
    if (plain.has(part)) continue
    if (size.test(part)) found.sizes.add(part)
    else if (activeSize.test(part)) continue
    else if (/^\d+[a-z]?$/.test(part)) found.versions.push(part)
    else if (variants.has(part)) found.variants.add(part)
    else if (families.has(part)) found.families.add(part)
    else found.words.add(part)
  }
  const told = found.versions.length + found.sizes.size + found.variants.size + found.families.size
  return { ...found, isOpen: isRouter || told + found.words.size === 0 }
}

function plainName(name: string): string {
  return name
    .slice(-longest)
    .toLowerCase()
    .replace(/[\\/]+$/, '')
    .replace(/^.*[\\/]/, '')
    .replace(/\.(?:gguf|ggml|safetensors|bin|llamafile)$/, '')
    .replace(/-\d{5}-of-\d{5}$/, '')
    .replace(
      /:(?:free|nitro|floor|online|thinking|beta|extended|exacto|latest|cloud|cheapest|fastest)(?=$|:)/g,
      '',
    )
    .replace(/^(?:us|eu|ap|apac|au|ca|jp|us-gov|global)\.(?=[a-z0-9]+\.)/, '')
    .replace(
      /^(?:anthropic|meta|amazon|mistral|cohere|ai21|deepseek|openai|qwen|google|minimax|moonshot|nvidia|zai)\./,
      '',
    )
    .replace(/(?:-v\d+)?:\d+(?::\d+k)?$/, '')
    .replace(/\b(?:i?q\d[a-z0-9_]*|(?:bf|fp|f)\d{1,2}|nvfp4|mxfp4|u?int\d|w\d+a\d+|[48]-?bit)\b/g, ' ')
    .replace(/_(?:i?q\d[a-z0-9_]*)$/, '')
    .replace(/\bgpt-?35\b/, 'gpt-3.5')
    .replace(/(\d)p(\d)/g, '$1.$2')
}

const datePatterns = [
  /20\d\d-?(?:0[1-9]|1[0-2])-?[0-3]\d/,
  /(?:0[1-9]|1[0-2])-20\d\d/,
  /(?:0[1-9]|1[0-2])-[0-3]\d/,
  /2[3-9](?:0[1-9]|1[0-2])/,
  /(?:0[1-9]|1[0-2])[0-3]\d/,
].map((pattern) => new RegExp(`(?<![a-z0-9.])(?:${pattern.source})(?![a-z0-9.])`))

function takeDate(name: string): { date: string | undefined; rest: string } {
  const rest = name.replace(/(?<![a-z0-9.])00\d(?![a-z0-9.])/, ' ')
  for (const pattern of datePatterns) {
    const found = pattern.exec(rest)
    if (found) return { date: found[0].replaceAll('-', ''), rest: rest.replace(pattern, ' ') }
  }
  return { date: undefined, rest }
}

/** Splits `qwen2.5` into `qwen`, `2`, `5`, and keeps sizes such as `1.5b`. */
function splitPart(part: string): string[] {
  if (part === '') return []
  if (size.test(part) || activeSize.test(part)) return [part]
  // `eastus2` is a word, `llama3` is not.
  const [, word = ''] = /^([a-z]{2,})\d+$/.exec(part) ?? []
  if (word !== '' && !families.has(word) && !variants.has(word) && !plain.has(word)) return [part]
  return part.match(/\d+[a-z]*|[a-z]+/g) ?? []
}

const size = /^(?:\d+x)?\d+(?:\.\d+)?[bmk]$/
/** Parameters that are active for a token, which some names tell beside the size. */
const activeSize = /^a\d+(?:\.\d+)?b$/

const wordsOf = (text: string) => new Set(text.split(/\s+/))

/** Names that leave the choice of the model to the server. */
const routers = wordsOf('auto router opusplan best')

/** Words that no two models differ by. */
const plain = wordsOf(
  `v model models my our default local deployment deploy prod production dev test staging wrapper api
  instruct instruction it chat base hf preview latest exp experimental beta stable free cloud hosted versatile
  gguf ggml mlx awq gptq exl2 imatrix dynamic ud quantized quant ollama vllm lmstudio community vision
  meta google openai anthropic mistralai microsoft nvidia zai moonshot moonshotai alibaba amazon cohere unsloth bartowski thebloke`,
)

/** Words that tell models of one family apart. */
const variants = wordsOf(
  `nano micro mini tiny small medium large lite light pro max plus ultra super flash turbo air fast instant high low
  haiku sonnet opus fable sol codex coder code math vl omni audio realtime image tts embed embedding guard safeguard search deep
  research thinking think reasoner reasoning distill oss nemo scout maverick next premier r`,
)

const families = wordsOf(
  `gpt chatgpt davinci claude gemini gemma palm llama codellama tinyllama qwen qwq mistral mixtral codestral devstral
  ministral magistral pixtral deepseek phi grok command aya kimi glm minimax nova titan jamba yi falcon granite olmo hermes dolphin
  wizardlm vicuna starcoder nemotron sonar ernie hunyuan doubao internlm smollm solar zephyr orca openchat exaone mimo longcat o`,
)

/** What is known of two agents: the same model, models of one family, or neither. */
type Kinship = 'model' | 'family' | undefined

/**
 * Returns how the models of two agents are related, by their names in records. Agents of the harness itself, such as simulated ones,
 * are related to nobody. `stated` names the families of agents, which win over their names.
 */
export function kinshipOf(
  one: string,
  other: string,
  stated: Readonly<Record<string, { family?: string | undefined }>> = {},
): Kinship {
  const [a, b] = [modelOf(one, stated[one]?.family), modelOf(other, stated[other]?.family)]
  if (a === undefined || b === undefined) return undefined
  if (a.model === b.model) return 'model'
  return [...a.families].some((family) => b.families.has(family)) ? 'family' : undefined
}

const ofHarness = ['simulated', 'oracle', 'no-op', 'scripted']

/** The family of the models that a vendor, or its own program, serves. */
const vendors: Readonly<Record<string, string>> = {
  ...{ anthropic: 'claude', claude: 'claude', openai: 'gpt', codex: 'gpt', google: 'gemini' },
  ...{ gemini: 'gemini', qwen: 'qwen' },
}

function modelOf(agent: string, stated?: string): { model: string; families: Set<string> } | undefined {
  const plain = agent.replace(/^[^:=]*=/, '').toLowerCase()
  const at = plain.indexOf(':')
  const provider = at < 0 ? plain : plain.slice(0, at)
  if (ofHarness.includes(provider) && stated === undefined) return undefined
  const whole = at < 0 ? '' : plain.slice(at + 1)
  // A recorded model is followed by the folder of its replies.
  const name = provider === 'recorded' ? whole.replace(/@.*$/, '') : whole
  const families =
    stated === undefined ? new Set(readModelName(name).families) : new Set([stated.toLowerCase()])
  const vendor = vendors[provider]
  if (vendor !== undefined && stated === undefined) families.add(vendor)
  // `anthropic/claude-x` of a proxy is the model `claude-x`.
  return { model: name.slice(name.lastIndexOf('/') + 1), families }
}
