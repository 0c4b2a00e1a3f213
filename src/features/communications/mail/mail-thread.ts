import { parentPort } from 'node:worker_threads'
import { type Arrival, readMail } from './read-mail.ts'

export type MailToRead = { readonly bytes: Uint8Array; readonly arrival: Arrival }

parentPort?.on('message', async ({ bytes, arrival }: MailToRead) => {
  parentPort?.postMessage(await readMail(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), arrival))
})
parentPort?.postMessage('loaded')
