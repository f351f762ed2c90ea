import type { ClientApp, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { normalizePath, sizeLimits } from '../../sandbox/folders/paths.ts'
import { readInside } from '../../sandbox/folders/read-inside.ts'
import { writeInside } from '../../sandbox/folders/write-inside.ts'
import type { ProgramStreams } from '../../sandbox/sandbox.ts'
import { listAt, objectAt, textAt } from '../wire/json.ts'

/** What an agent may have of bench. */
interface Grants extends Pick<ProgramStreams, 'cwd' | 'uid'> {
  /** The folder of the trial, of which the agent sees `cwd`. */
  workspace: string
  /** It is in a sandbox, so it may use all its tools; otherwise it may only edit the folder. */
  contained: boolean
  /** Whether it is the session of this call. */
  isOwn(sessionId: string): boolean
  /** Makes the error that the agent gets. */
  refuse(message: string): Error
}

/** What is read of a file for an agent in all its requests together; bytes. */
const mostRead = 256 * 1024 ** 2

/**
 * Answers what an agent asks of its client: texts of files in the trial's folder, which no link leads out of, and permissions. All else,
 * such as a terminal, is refused by the client.
 */
export function answerRequests(app: ClientApp, grants: Grants): ClientApp {
  let read = 0
  const requireOwn = (sessionId: string) => {
    if (!grants.isOwn(sessionId)) throw grants.refuse('it names another session than that of this call')
  }
  return app
    .onRequest('fs/read_text_file', ({ params: { sessionId, path, line, limit } }) => {
      requireOwn(sessionId)
      const inner = pathInside(path, grants)
      const text = readInside(grants.workspace, inner, sizeLimits.fileBytes)
      if (text.reason !== undefined) throw grants.refuse(`${inner} ${text.reason}`)
      read += text.size
      if (read > mostRead) throw grants.refuse(`more than ${mostRead} bytes were read in this call`)
      return { content: linesOf(text.content, line ?? undefined, limit ?? undefined) }
    })
    .onRequest('fs/write_text_file', ({ params: { sessionId, path, content } }) => {
      requireOwn(sessionId)
      const inner = pathInside(path, grants)
      if (Buffer.byteLength(content) > sizeLimits.fileBytes)
        throw grants.refuse(`the text for ${inner} has more than ${sizeLimits.fileBytes} bytes`)
      const isLink = readInside(grants.workspace, inner, 0).reason?.match(
        /ELOOP|ENOTDIR|hard link|plain file/,
      )
      if (isLink) throw grants.refuse(`${inner} is no plain file in a plain folder`)
      try {
        writeInside(grants.workspace, inner, content, grants.uid)
      } catch (error) {
        // Its message has the real path of the folder.
        throw grants.refuse(`${inner} cannot be written (${(error as NodeJS.ErrnoException).code})`)
      }
      return {}
    })
    .onRequest('session/request_permission', ({ params }) => {
      requireOwn(params.sessionId)
      return answerPermission(params, grants)
    })
}

/** Returns a path of the agent's as one in the workspace. Throws what the agent gets if it leads out of it, or into version control. */
function pathInside(path: string, { cwd, refuse }: Pick<Grants, 'cwd' | 'refuse'>): string {
  const found = path.startsWith(`${cwd}/`) ? normalizePath(path.slice(cwd.length + 1)) : undefined
  if (found && 'path' in found) return found.path
  throw refuse(`${path} is no path of a file in ${cwd}`)
}

/** `line` counts from 1. */
function linesOf(text: string, line = 1, limit?: number): string {
  if (line <= 1 && limit === undefined) return text
  const lines = text.split('\n')
  const from = Math.max(0, line - 1)
  return lines.slice(from, limit === undefined ? undefined : from + limit).join('\n')
}

/** Allows it once, if it may and the agent offers that, else rejects it; an agent that offers neither hears that the request was cancelled. */
function answerPermission(
  { options, toolCall }: RequestPermissionRequest,
  grants: Grants,
): RequestPermissionResponse {
  const kinds = grants.contained || isEditInside(toolCall, grants) ? [...allowing, ...refusing] : refusing
  const chosen = kinds.map((kind) => options.find((option) => option.kind === kind)).find(Boolean)
  return {
    outcome: chosen ? { outcome: 'selected', optionId: chosen.optionId } : { outcome: 'cancelled' },
  }
}

const allowing = ['allow_once', 'allow_always']
const refusing = ['reject_once', 'reject_always']

/** Whether a call says that it changes files of the workspace alone. */
function isEditInside(toolCall: RequestPermissionRequest['toolCall'], grants: Grants): boolean {
  const call = objectAt(toolCall)
  const places = [...listAt(call, 'locations'), ...listAt(call, 'content')].filter(({ path }) => path)
  const isInside = (path: string) => {
    try {
      return pathInside(path, grants) !== ''
    } catch {
      return false
    }
  }
  return (
    textAt(call, 'kind') === 'edit' &&
    places.length > 0 &&
    places.every((one) => isInside(textAt(one, 'path')))
  )
}
