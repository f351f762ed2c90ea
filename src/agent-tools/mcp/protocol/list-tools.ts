import { z } from 'zod'

/** A tool as its server describes it. */
export interface ListedTool {
  name: string
  description: string
  inputSchema?: unknown
}

/** A page of a server's list. */
interface ToolPage {
  tools: unknown[]
  nextCursor?: string | null | undefined
}

/** The most pages that are asked for, and the most tools that are taken. */
const [mostPages, mostTools] = [64, 2000]

const Listed = z.object({
  name: z.string(),
  description: z.string().nullish(),
  inputSchema: z.unknown().optional(),
})

/**
 * Lists the tools of a server, page by page. A cursor is any text, the empty one too; one that was given before ends the list, since
 * some servers give the same cursor for ever. Tools without a name are left out.
 */
export async function listTools(getPage: (cursor?: string) => Promise<ToolPage>): Promise<ListedTool[]> {
  const listed: ListedTool[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const { tools, nextCursor } = await getPage(cursor)
    for (const tool of tools) {
      const { data } = Listed.safeParse(tool)
      if (data) listed.push({ ...data, description: data.description ?? '' })
    }
    if (typeof nextCursor !== 'string' || seen.has(nextCursor) || listed.length >= mostTools) break
    seen.add(nextCursor)
    cursor = nextCursor
  }
  return withoutCopies(listed).slice(0, mostTools)
}

/** Drops tools that are listed twice with the same words, as by a page that is given again. */
const withoutCopies = (tools: readonly ListedTool[]): ListedTool[] => [
  ...new Map(tools.map((tool) => [JSON.stringify(tool), tool])).values(),
]
