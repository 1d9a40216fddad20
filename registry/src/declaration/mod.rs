//! What an owner declares at `/register` and `/update`: limits checked, then applied to the profile.
//!
//! Source of the fields and limits: the public directory surface (`/register`), widened by ours.

use std::collections::BTreeMap;

use protocol::a2a::Version;
use protocol::a2a::card::serve::Shape;
use protocol::a2a::card::{Binding, Interface, Skill};

use crate::agent::{Capability, Contact, MessageProtocol, Profile};
use crate::error::{Invalid, InvalidKind};
use crate::terms::{Json, SkillTerms};

mod checks;

use checks::{
    at_most, check_auth_header, check_capabilities, check_conventions, check_endpoint,
    check_public_key, check_skills, one_line, one_of, texts, web_page,
};

/// The longest time that an agent may ask for, in milliseconds.
const LONGEST_ANSWER: u64 = 600_000;

/// The keys of `payload_schema`, and no other.
pub const CONVENTIONS: [&str; 4] = ["currency", "date_format", "quantity_unit", "weight_unit"];

/// Declared fields; an absent one leaves what was there, an empty text or list clears it.
#[derive(Debug, Clone, Default)]
#[expect(
    missing_docs,
    reason = "each field is documented at the profile that it sets"
)]
pub struct Declaration {
    pub contact_email: Option<String>,
    pub contact_info: Option<String>,
    pub public_key: Option<String>,
    pub name: Option<String>,
    pub description: Option<String>,
    pub specialty: Option<String>,
    pub version: Option<String>,
    pub org_name: Option<String>,
    pub org_domain: Option<String>,
    pub endpoint_url: Option<String>,
    pub capabilities: Option<Vec<Capability>>,
    pub protocol: Option<String>,
    pub settlement_rail: Option<Vec<String>>,
    pub accepted_terms_format: Option<String>,
    pub message_protocol: Option<MessageProtocol>,
    pub a2a_compliant: Option<bool>,
    pub a2a_version: Option<Version>,
    pub card_shape: Option<Shape>,
    pub timeout_ms: Option<u64>,
    pub accepted_content_types: Option<Vec<String>>,
    pub http_methods: Option<Vec<String>>,
    pub payload_schema: Option<BTreeMap<String, Option<String>>>,
    pub terms: Option<Json>,
    pub skill_terms: Option<BTreeMap<String, SkillTerms>>,
    pub signup_help: Option<String>,
    pub auth_header_name: Option<String>,
    pub tags: Option<Vec<String>>,
    pub skills: Option<Vec<Skill>>,
    pub input_modes: Option<Vec<String>>,
    pub output_modes: Option<Vec<String>>,
    pub documentation_url: Option<String>,
    pub price_schedule: bool,
}

impl Declaration {
    /// Checks everything and applies it; on an error nothing may be kept.
    ///
    /// # Errors
    /// [`Invalid`] with the pointer of the first field that is outside its limits.
    pub fn apply(
        self,
        profile: &mut Profile,
        contact: &mut Contact,
        allow_private: bool,
    ) -> Result<(), Invalid> {
        if self.price_schedule {
            let reason = "a price needs a proof of the endpoint's domain and of the pay_to wallet, and this version has no proofs";
            return Err(Invalid::of(InvalidKind::Price, "/price_schedule", reason));
        }
        self.check_lists()?;
        let address = (self.endpoint_url.clone(), self.a2a_version);
        apply_contact(&self, contact)?;
        let declares =
            self.payload_schema.is_some() || self.terms.is_some() || self.skill_terms.is_some();
        self.apply_texts(profile)?;
        if declares {
            check_terms(profile)?;
        }
        apply_address(address, profile, allow_private)
    }

    fn check_lists(&self) -> Result<(), Invalid> {
        texts("/tags", self.tags.as_deref(), 64, 64)?;
        texts("/input_modes", self.input_modes.as_deref(), 64, 128)?;
        texts("/output_modes", self.output_modes.as_deref(), 64, 128)?;
        texts(
            "/accepted_content_types",
            self.accepted_content_types.as_deref(),
            16,
            128,
        )?;
        one_of(
            "/settlement_rail",
            self.settlement_rail.as_deref(),
            &["x402", "stripe", "manual"],
        )?;
        one_of(
            "/http_methods",
            self.http_methods.as_deref(),
            &["GET", "POST"],
        )?;
        one_of(
            "/protocol",
            self.protocol.as_slice(),
            &["REST", "GraphQL", "gRPC", ""],
        )?;
        one_of(
            "/accepted_terms_format",
            self.accepted_terms_format.as_slice(),
            &["JSON", "XML", ""],
        )?;
        if self.timeout_ms.is_some_and(|time| time > LONGEST_ANSWER) {
            let reason = "at most 600000 milliseconds; 0 for the gateway's own";
            return Err(Invalid::value("/timeout_ms", reason));
        }
        check_capabilities(self.capabilities.as_deref().unwrap_or_default())?;
        check_skills(self.skills.as_deref().unwrap_or_default())?;
        check_conventions(self.payload_schema.as_ref())
    }

    fn apply_texts(self, profile: &mut Profile) -> Result<(), Invalid> {
        one_line("/name", self.name.as_deref().unwrap_or_default())?;
        one_line("/org_name", self.org_name.as_deref().unwrap_or_default())?;
        one_line(
            "/org_domain",
            self.org_domain.as_deref().unwrap_or_default(),
        )?;
        set("/name", self.name, 256, &mut profile.name)?;
        set(
            "/description",
            self.description,
            4_096,
            &mut profile.description,
        )?;
        set("/specialty", self.specialty, 512, &mut profile.specialty)?;
        set("/version", self.version, 64, &mut profile.version)?;
        set_option("/org_name", self.org_name, 256, &mut profile.org_name)?;
        set_option("/org_domain", self.org_domain, 253, &mut profile.org_domain)?;
        set_option("/protocol", self.protocol, 16, &mut profile.protocol)?;
        set_option(
            "/accepted_terms_format",
            self.accepted_terms_format,
            16,
            &mut profile.accepted_terms_format,
        )?;
        set_option(
            "/signup_help",
            self.signup_help,
            2_048,
            &mut profile.signup_help,
        )?;
        if let Some(header) = self
            .auth_header_name
            .as_deref()
            .filter(|name| !name.is_empty())
        {
            check_auth_header(header)?;
        }
        set_option(
            "/auth_header_name",
            self.auth_header_name,
            64,
            &mut profile.auth_header_name,
        )?;
        if let Some(page) = self
            .documentation_url
            .as_deref()
            .filter(|page| !page.is_empty())
        {
            web_page("/documentation_url", page)?;
        }
        set_option(
            "/documentation_url",
            self.documentation_url,
            2_048,
            &mut profile.documentation_url,
        )?;
        replace(self.capabilities, &mut profile.capabilities);
        replace(self.settlement_rail, &mut profile.settlement_rail);
        replace(
            self.accepted_content_types,
            &mut profile.accepted_content_types,
        );
        replace(self.http_methods, &mut profile.http_methods);
        replace(self.tags, &mut profile.tags);
        replace(self.skills, &mut profile.skills);
        replace(self.input_modes, &mut profile.input_modes);
        replace(self.output_modes, &mut profile.output_modes);
        replace(self.message_protocol, &mut profile.message_protocol);
        replace(self.a2a_compliant, &mut profile.a2a_compliant);
        replace(self.card_shape, &mut profile.card_shape);
        if let Some(time) = self.timeout_ms {
            profile.timeout_ms = (time > 0).then_some(time);
        }
        if let Some(schema) = self.payload_schema {
            profile.payload_schema = (!schema.is_empty()).then_some(schema);
        }
        if let Some(terms) = self.terms {
            profile.terms = (terms.as_str() != "[]").then_some(terms);
        }
        replace(self.skill_terms, &mut profile.skill_terms);
        Ok(())
    }
}

/// What cannot be checked is not kept. The place is named as the owner wrote it.
fn check_terms(profile: &Profile) -> Result<(), Invalid> {
    if profile.skill_terms.len() > 100 {
        return Err(Invalid::value("/skill_terms", "at most 100 skills"));
    }
    profile.terms().validate().map_err(|error| {
        let error = error.moved("/skills", "/skill_terms");
        let kind = match error.pointer.starts_with("/payload_schema") {
            true => InvalidKind::PayloadSchema,
            false => InvalidKind::Terms,
        };
        Invalid::of(kind, error.pointer, error.reason)
    })
}

fn replace<T>(new: Option<T>, old: &mut T) {
    if let Some(new) = new {
        *old = new;
    }
}

fn set(
    pointer: &'static str,
    new: Option<String>,
    most: usize,
    old: &mut String,
) -> Result<(), Invalid> {
    if let Some(new) = new {
        at_most(pointer, &new, most)?;
        *old = new;
    }
    Ok(())
}

fn set_option(
    pointer: &'static str,
    new: Option<String>,
    most: usize,
    old: &mut Option<String>,
) -> Result<(), Invalid> {
    if let Some(new) = new {
        at_most(pointer, &new, most)?;
        *old = (!new.is_empty()).then_some(new);
    }
    Ok(())
}

fn apply_contact(declared: &Declaration, contact: &mut Contact) -> Result<(), Invalid> {
    if let Some(key) = declared.public_key.as_deref().filter(|key| !key.is_empty()) {
        check_public_key(key)?;
    }
    if let Some(email) = declared
        .contact_email
        .as_deref()
        .filter(|email| !email.is_empty())
    {
        let parts = email.split_once('@');
        if !parts.is_some_and(|(user, host)| {
            !user.is_empty() && host.contains('.') && !email.contains(char::is_whitespace)
        }) {
            return Err(Invalid::value(
                "/contact_email",
                "an e-mail address has the form user@host",
            ));
        }
    }
    set_option(
        "/contact_email",
        declared.contact_email.clone(),
        254,
        &mut contact.email,
    )?;
    set_option(
        "/contact_info",
        declared.contact_info.clone(),
        1_024,
        &mut contact.info,
    )?;
    set_option(
        "/public_key",
        declared.public_key.clone(),
        43,
        &mut contact.public_key,
    )?;
    if contact.email.is_none() && contact.public_key.is_none() {
        let reason = "one of contact_email and public_key is needed";
        return Err(Invalid::of(
            InvalidKind::MissingContact,
            "/contact_email",
            reason,
        ));
    }
    Ok(())
}

/// The address and what is spoken there; kept in step with `message_protocol`.
fn apply_address(
    (endpoint, version): (Option<String>, Option<Version>),
    profile: &mut Profile,
    allow_private: bool,
) -> Result<(), Invalid> {
    let spoken_before = profile
        .interfaces
        .first()
        .map(|interface| interface.version);
    if let Some(endpoint) = endpoint {
        if endpoint.is_empty() {
            profile.endpoint_url = None;
        } else {
            profile.endpoint_url = Some(check_endpoint(&endpoint, allow_private)?);
        }
        profile.interfaces.clear();
    }
    let Some(url) = profile.endpoint_url.clone() else {
        return Ok(());
    };
    let speaks_a2a = profile.message_protocol == MessageProtocol::A2a && profile.a2a_compliant;
    if !speaks_a2a {
        profile.interfaces.clear();
    } else if profile.interfaces.is_empty() || version.is_some() {
        // A new address speaks what the old one did, unless the owner says otherwise.
        let version = version.or(spoken_before).unwrap_or(Version::V0_3);
        profile.interfaces = vec![Interface {
            url,
            binding: Binding::JsonRpc,
            version,
            tenant: None,
            callable: true,
        }];
    }
    Ok(())
}
