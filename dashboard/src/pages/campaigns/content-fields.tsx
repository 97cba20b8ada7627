import { Alert, Button, JsonInput, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';

import { Panel } from '../../components/panel';
import type { CampaignForm } from './campaign-values';
import type { Templates } from './use-templates';

interface Props {
  form: CampaignForm;
  templates: Templates;
}

/** Subject and bodies: the campaign's own, or those of a template. */
export function ContentFields({ form, templates }: Props) {
  const { source } = form.values;
  const choose = (chosen: string) => {
    form.setFieldValue('source', chosen as typeof source);
    form.setFieldValue('replacesBodies', false);
  };
  return (
    <Panel
      title="Content"
      description="{{email}}, {{firstName}}, {{lastName}} and {{company}} insert what is known about the recipient."
    >
      <Stack>
        <SegmentedControl
          aria-label="Content from"
          data={[
            { value: 'own', label: 'Write here' },
            { value: 'template', label: 'Use a template' },
          ]}
          value={source}
          onChange={choose}
        />
        {source === 'own' ? <OwnContent form={form} /> : <TemplateContent form={form} templates={templates} />}
        <JsonInput
          label="Variables"
          description="Values for other placeholders, the same for all recipients, as a JSON object. They also stand in for what is not known about a contact."
          autosize
          minRows={2}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: 'mono' }}
          {...form.getInputProps('variables')}
        />
      </Stack>
    </Panel>
  );
}

const OwnContent = ({ form }: { form: CampaignForm }) => (
  <>
    <TextInput label="Subject" required withAsterisk={false} maxLength={998} {...form.getInputProps('subject')} />
    <Textarea
      label="HTML"
      description="Must contain {{unsubscribeUrl}}, the link to the unsubscribe page."
      autosize
      minRows={10}
      maxRows={28}
      spellCheck={false}
      classNames={{ input: 'mono' }}
      {...form.getInputProps('html')}
    />
    <Textarea
      label="Plain text"
      description="Leave empty to generate it from the HTML. Otherwise it must contain {{unsubscribeUrl}}, too."
      autosize
      minRows={4}
      maxRows={20}
      classNames={{ input: 'mono' }}
      {...form.getInputProps('text')}
    />
  </>
);

const TemplateContent = ({ form, templates }: Props) => (
  <>
    <Select
      label="Template"
      description="Its content is copied when the campaign starts. Later changes of the template have no effect."
      placeholder="Select a template"
      data={templates.options}
      searchable
      nothingFoundMessage="No matching templates"
      {...form.getInputProps('templateId')}
    />
    <TextInput
      label="Subject"
      description="Leave empty to use the subject of the template."
      placeholder={templates.chosen?.subject}
      maxLength={998}
      {...form.getInputProps('subject')}
    />
    {form.values.replacesBodies && (
      <Alert color="yellow" variant="outline" title="This campaign replaces a body of the template">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">It was given HTML or plain text of its own through the API.</Text>
          <Button size="xs" variant="default" onClick={() => form.setFieldValue('replacesBodies', false)}>
            Use the bodies of the template
          </Button>
        </Stack>
      </Alert>
    )}
  </>
);
