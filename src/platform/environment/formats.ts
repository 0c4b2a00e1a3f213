import { type Network, readNetwork } from '../access/source-address.ts'
import { Invalid } from './variables.ts'

/** The formats shared by variables. Each parses a text, or returns what it must be. */
export const plainText = (value: string): string => value

export const number =
  (minimum: number, maximum: number) =>
  (value: string): number | Invalid => {
    const read = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    return read >= minimum && read <= maximum ? read : new Invalid(`a number from ${minimum} to ${maximum}`)
  }

export const numbers =
  (count: number, minimum: number, maximum: number) =>
  (value: string): readonly number[] | Invalid => {
    const read = value.split(',').map((part) => number(minimum, maximum)(part.trim()))
    return read.length === count && read.every((one) => typeof one === 'number')
      ? read
      : new Invalid(`${count} numbers from ${minimum} to ${maximum}, separated by commas`)
  }

export const choice =
  <T extends string>(...values: readonly T[]) =>
  (value: string): T | Invalid =>
    values.find((known) => known === value) ?? new Invalid(`one of ${values.join(', ')}`)

export const yesOrNo = (value: string): boolean | Invalid =>
  value === 'true' || (value === 'false' ? false : new Invalid('one of true, false'))

/** A format with its own parser, which returns null for an invalid text. */
export const readBy =
  <T>(read: (value: string) => T | null, mustBe: string) =>
  (value: string): T | Invalid =>
    read(value) ?? new Invalid(mustBe)

export const longText =
  (minimum: number) =>
  (value: string): string | Invalid =>
    value.length >= minimum ? value : new Invalid(`at least ${minimum} characters long`)

/** Without the slashes at its end. */
export function webAddress(value: string): string | Invalid {
  const isValid = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  return isValid ? value.replace(/\/+$/, '') : new Invalid('an http or https address')
}

/** An address in which every character counts. `fetch` accepts none with a user name. */
export function fileAddress(value: string): string | Invalid {
  const url = URL.parse(value)
  const isValid = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return isValid ? value : new Invalid('an http or https address without a user name')
}

export function socketAddress(value: string): { readonly host: string; readonly port: number } | Invalid {
  const [, host, port] = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(value) ?? []
  return host !== undefined && Number(port) <= 65_535
    ? { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
    : new Invalid('HOST:PORT')
}

export const databaseAddress = (value: string): string | Invalid =>
  /^postgres(ql)?:\/\//.test(value) ? value : new Invalid('an address that begins with postgres:// or postgresql://')

export function networks(value: string): readonly Network[] | Invalid {
  const parts = value.split(',').map((part) => part.trim())
  const read = parts.filter((part) => part !== '').map(readNetwork)
  const valid = read.filter((network) => network !== null)
  return valid.length === read.length ? valid : new Invalid('CIDRs separated by commas')
}
