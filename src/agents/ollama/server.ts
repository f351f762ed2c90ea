import type { Problem } from '../../errors.ts'

/** Where Ollama listens, as Ollama's own tools read OLLAMA_HOST: `host`, `host:port` or a whole address. */
export function ollamaAddress(host = process.env.OLLAMA_HOST?.trim()): string {
  const given = host || '127.0.0.1'
  const isWhole = given.includes('://')
  const text = isWhole ? given : `http://${given}`
  if (!URL.canParse(text)) return text
  const { protocol, hostname, port, pathname } = new URL(text)
  // A server that is told to listen everywhere is reached here.
  const reached = hostname === '0.0.0.0' ? '127.0.0.1' : hostname
  const explicit = isWhole ? port : port || '11434'
  return `${protocol}//${reached}${explicit ? `:${explicit}` : ''}${pathname.replace(/\/+$/, '')}`
}

/** Names of the models that the server has, or why it could not be asked. */
export async function installedModels(address: string): Promise<readonly string[] | Problem> {
  try {
    const response = await fetch(`${address}/api/tags`, { signal: AbortSignal.timeout(10_000) })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const { models } = (await response.json()) as { models?: { name: string }[] }
    return (models ?? []).map(({ name }) => name)
  } catch (error) {
    const { cause, message } = error as Error
    const what = `no Ollama answers at ${address} (${cause instanceof Error ? cause.message : message})`
    const fix = 'Start it with `ollama serve`, or say where it is in OLLAMA_HOST.'
    return { where: 'provider ollama', what, fix }
  }
}
