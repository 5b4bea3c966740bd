import { Joi } from '../../../boundedJoi.ts';
import { endpointKinds, eventTypes } from '../../../contract/events.ts';
import type { EndpointChanges, NewEndpoint } from '../../../organizations/webhookEndpoints.ts';
import { textSchema } from '../../textSchema.ts';

const URL_LENGTH = 2_000;
const DESCRIPTION_LENGTH = 200;

const url = () =>
  Joi.string()
    .max(URL_LENGTH)
    .description(
      'An https URL on the public internet, by the rules of `callbackUrl`. For Slack and Microsoft Teams, the URL of an incoming webhook.',
    );
const description = () =>
  textSchema()
    .name({ limit: DESCRIPTION_LENGTH, isMailed: true })
    .description('What the endpoint is for. E-mails contain it.');
const selectedTypes = () =>
  Joi.array()
    .items(
      Joi.string()
        .valid(...eventTypes)
        .meta({ schemaName: 'EventType' }),
    )
    .min(1)
    .max(eventTypes.length)
    .unique()
    .description('The types of events that the endpoint receives.');

export const newEndpointBody = Joi.object<NewEndpoint>({
  kind: Joi.string()
    .valid(...endpointKinds)
    .default('webhook')
    .description('Whether a program receives signed JSON, or a channel readable messages.'),
  url: url().required(),
  description: description().required(),
  eventTypes: selectedTypes().required(),
}).label('body');

export const endpointChangesBody = Joi.object<EndpointChanges>({
  url: url(),
  description: description(),
  eventTypes: selectedTypes(),
  enabled: Joi.boolean().description('Whether the service sends events to the endpoint.'),
})
  .min(1)
  .label('body');
