-- Text of templates is edited by people, so each has a version. A text saved after a reset begins with the time, so that it
-- never has the version of a former text.
alter table message_templates add version bigint not null default (extract(epoch from now()) * 1000)::bigint;
comment on column message_templates.version is 'counts its changes from the millisecond of its creation, so that an editor who read another text is refused';
