import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'

/** A request to a server that the operator chose. */
export type Question = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}
/**
 * The outcome. `unreached` means that nothing was sent to the server, so it has done nothing; `unanswered` that it may
 * have processed the request.
 */
export type Reply =
  | { readonly status: number; readonly text: string }
  | { readonly failure: 'unreached' | 'unanswered'; readonly message: string }

export type AskLimits = { readonly totalMs: number; readonly maxBytes: number }

/** Sends one request over a new connection, and follows no redirects. Never throws. */
export async function ask(question: Question, limits: AskLimits, stopping: AbortSignal): Promise<Reply> {
  let reached = false
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(limits.totalMs)])
  try {
    const answer = await exchange(question, signal, () => {
      reached = true
    })
    return { status: answer.statusCode as number, text: await readText(answer, limits.maxBytes) }
  } catch (error) {
    return { failure: reached ? 'unanswered' : 'unreached', message: (error as Error).message }
  }
}

function exchange(
  { url, method, headers, body }: Question,
  signal: AbortSignal,
  reached: () => void,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const secure = url.startsWith('https:')
  const call = (secure ? secureRequest : plainRequest)(url, { method, headers, signal, agent: false })
  call.on('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', reached))
  call.on('response', resolve).on('error', reject)
  call.on('close', () => reject(new Error('the connection was closed without a response')))
  call.end(body)
  return promise
}

async function readText(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`the response is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
