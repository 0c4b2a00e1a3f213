import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** What no log may hold: secrets as they look, and data of persons as the tests use them. */
const LEAKS: Readonly<Record<string, RegExp>> = {
  'an API key': /\bsek_\w{8}/,
  'a signing secret': /\bwhsec_\w{8}/,
  'a credential': /\b(?:bearer|basic) +[\w.~+/=-]{8}/i,
  'the password of an address': /:\/\/[^\s/@:"\\…]+:[^\s/@"\\…]+@/,
  'a password': /hunter2|Güneşli günler|"pass(?:word|phrase)"/i,
  'the token of a link': /\/(?:s|f|r|u|files)\/[\w.~%-]{16}/,
  'an e-mail address': /[\w.+-]+@[\w-]+\.[a-z]{2,}/i,
  'a telephone number': /\+(?:90|49|44|1)\d{9,11}\b/,
  'a card’s number': /\b(?:4\d{3}|5[1-5]\d{2}|3[47]\d{2})[ -]?(?:\d{4}[ -]?){2}\d{3,4}\b/,
  'a name': /Ayşe|Yılmaz|Yıldırımoğlu|Çağlar|O'Hara|Lovelace|Mustermann/,
  'what a message or note says': /window seats|Two rooms|Prefers |<p>/,
}
/** Their digits may look like anything. */
const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g
const LONGEST_EXCERPT = 300

/** The forbidden content of a log line, by name. */
export function leaksOf(line: string): string[] {
  const text = line.replace(UUIDS, '')
  return Object.entries(LEAKS).flatMap(([name, looks]) => (looks.test(text) ? name : []))
}

/** The log lines in a folder, and its subfolders, with forbidden content. */
export async function searchLogs(folder: string): Promise<string[]> {
  const leaks: string[] = []
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.log')))
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) {
      const found = leaksOf(line)
      if (found.length > 0) leaks.push(`${name}: ${found.join(', ')}: ${line.slice(0, LONGEST_EXCERPT)}`)
    }
  return leaks
}
