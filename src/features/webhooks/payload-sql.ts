import { instantSql } from '../../platform/db/view.ts'
import { eventIdSql } from './event-id.ts'

/**
 * SQL of the body that is sent of an event which happens in this transaction. What it takes is SQL itself: a uuid, one of
 * the program's own names, and the text of a JSON object. Nothing is escaped.
 */
export const payloadSql = ({ id, event, data }: { id: string; event: string; data: string }): string => `
  '{"id":"' || ${eventIdSql(id)} || '","event":"' || ${event} || '","occurred_at":"' || ${instantSql('now()')}
    || '","data":' || ${data} || '}'`
