import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Language } from '../../../platform/page/language.ts'
import type { Template, TemplateKind } from './template-kinds.ts'

type Named = { readonly account: number; readonly kind: TemplateKind; readonly locale: Language }
/** Words of an account's own. */
export type OwnTemplate = Omit<Named, 'account'> & Template & { readonly version: number }

export const ownTemplates = statement(
  {
    account: pg.integer,
    kinds: pg.list(pg.textOf<TemplateKind>()),
  },
  {
    kind: pg.textOf<TemplateKind>(),
    locale: pg.textOf<'en' | 'tr'>(),
    subject: pg.text,
    body: pg.text,
    version: pg.float,
  },
  'select kind, locale, subject, body, version::float8 as version from message_templates where account_id = $account and kind = any($kinds::text[])',
)
export const keepTemplate = statement(
  {
    account: pg.integer,
    kind: pg.textOf<TemplateKind>(),
    locale: pg.textOf<'en' | 'tr'>(),
    subject: pg.text,
    body: pg.text,
  },
  {},
  `
  insert into message_templates (account_id, kind, locale, subject, body) values ($account, $kind, $locale, $subject, $body)
  on conflict (account_id, kind, locale) do update set subject = excluded.subject, body = excluded.body, updated_at = now(),
    version = message_templates.version + 1`,
)
export const dropTemplate = statement(
  {
    account: pg.integer,
    kind: pg.textOf<TemplateKind>(),
    locale: pg.textOf<'en' | 'tr'>(),
  },
  {},
  'delete from message_templates where account_id = $account and kind = $kind and locale = $locale',
)
