import { sesRig, snsRig } from '../../support/aws-rigs.js';
import { describeProvider } from '../../support/provider-contract.js';
import { simulatorRig, smtpRig } from '../../support/provider-rigs.js';
import { sampleRig } from '../../support/sample-rig.js';
import { twilioRig } from '../../support/twilio-rig.js';

describeProvider('smtp', smtpRig);
describeProvider('ses', sesRig);
describeProvider('sns', snsRig);
describeProvider('twilio', twilioRig);
describeProvider('simulator', simulatorRig);
describeProvider('of the template', sampleRig);
