import Type from 'typebox'
import type { Files } from '../../platform/files/files.ts'
import { Text, Uuid } from '../../platform/http/shapes.ts'

/** A logo that was uploaded. */
export const Logo = Type.Object({
  id: Uuid,
  filename: Text(255),
  content_type: Text(200),
  url: Type.String({ maxLength: 2000, description: 'Where to load the picture; valid for one hour.' }),
})
/** SQL of a logo without its address, which is signed outside the database. */
export const logoSql = (account: string, file: string): string => `
  (select json_build_object('id', f.id, 'filename', f.filename, 'content_type', f.content_type)
  from files f where f.account_id = ${account} and f.id = ${file})`

type WithLogo = { logo: { id: string | null; url?: string } | null }
/** A record with the address of its uploaded logo, which is good from now on. */
export const withLogoAddress = <R extends WithLogo>(files: Files, account: number, record: R): R => ({
  ...record,
  logo: record.logo?.id ? { ...record.logo, url: files.addressOf({ account, id: record.logo.id }) } : record.logo,
})
