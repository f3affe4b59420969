//! Targets: what a run is on. The space in which its chains move, and what stands behind their coordinates.

use std::sync::Arc;

use super::kit::transforms::in_coordinates;
use super::network::TestSet;
use super::{
    Classification, Combination, Coordinates, Data, DataNote, Density, KnownQuantities, Model, Projection, Quantities,
    Regression, TargetInfo, TopicModel, highest_mode,
};
use crate::families::{Family, LINE, PLANE, TOPICS};
use crate::lda::Dropped;
use base::math::Point;

/// A target.
#[derive(Debug)]
pub struct Target {
    info: TargetInfo,
    space: Space,
    behind: Behind,
    family: &'static Family,
    data: Option<DataNote>,
    remarks: Vec<String>,
}

/// Where the chains of a target move.
#[derive(Clone, Debug)]
pub enum Space {
    /// On the line or in the plane, on a density of which everything is known.
    Plane(Arc<dyn Density>),
    /// In d dimensions, of which two are drawn.
    Vectors(Vectors),
    /// Where inference of its own moves them: topics of documents, of which two entries are drawn.
    Topics(Arc<TopicModel>),
}

/// A model in d dimensions, and what of it is drawn and counted.
#[derive(Clone, Debug)]
pub struct Vectors {
    /// The density.
    pub model: Arc<dyn Model>,
    /// The plane that is drawn.
    pub projection: Projection,
    /// The density of the projection, where it is known.
    pub marginal: Option<Arc<dyn Density>>,
}

/// What stands behind the coordinates.
#[derive(Clone)]
pub enum Behind {
    /// Nothing: they are all there is.
    Nothing,
    /// They are the weights of a function, fitted to data.
    Function(Arc<dyn Regression>),
    /// They are the weights of probabilities of classes.
    Classes(Arc<dyn Classification>),
}

impl std::fmt::Debug for Behind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Nothing => "Nothing",
            Self::Function(_) => "Function",
            Self::Classes(_) => "Classes",
        })
    }
}

impl Space {
    /// The density of the chains' coordinates, with as many as a chain has; `None` of topics.
    #[must_use]
    pub fn model(&self) -> Option<&dyn Model> {
        match self {
            Self::Plane(density) => Some(density.as_model()),
            Self::Vectors(vectors) => Some(vectors.model.as_ref()),
            Self::Topics(_) => None,
        }
    }

    /// Number of coordinates of a chain.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.model().map_or(2, Model::dimension)
    }
}

impl Target {
    fn new(space: Space, info: TargetInfo) -> Self {
        let family = if info.dimension == 1 { &LINE } else { &PLANE };
        Self { info, space, behind: Behind::Nothing, family, data: None, remarks: Vec::new() }
    }

    /// A density on the line or in the plane.
    #[must_use]
    pub fn plane(density: Arc<dyn Density>) -> Self {
        let info = density.info().clone();
        Self::new(Space::Plane(density), info)
    }

    /// A model in d dimensions; `info` is about the plane that is drawn.
    #[must_use]
    pub fn vectors(vectors: Vectors, info: TargetInfo) -> Self {
        Self::new(Space::Vectors(vectors), info)
    }

    /// Topics of documents; `info` is about the entries that are drawn.
    #[must_use]
    pub fn of_topics(model: TopicModel, info: TargetInfo) -> Self {
        Self::new(Space::Topics(model.into()), info).in_family(&TOPICS)
    }

    /// The same with what stands behind the coordinates.
    #[must_use]
    pub fn with(self, behind: Behind) -> Self {
        Self { behind, ..self }
    }

    /// The same in another family than that of all densities on the line or in the plane.
    #[must_use]
    pub fn in_family(self, family: &'static Family) -> Self {
        Self { family, ..self }
    }

    /// The same with what is told of its data.
    #[must_use]
    pub(in crate::targets) fn with_data(self, data: Option<DataNote>) -> Self {
        Self { data, ..self }
    }

    /// The same with what of its settings changes nothing, each in a sentence.
    #[must_use]
    pub(in crate::targets) fn with_remarks(self, remarks: Vec<String>) -> Self {
        Self { remarks, ..self }
    }

    /// What of its settings changes nothing, each in a sentence.
    #[must_use]
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// What is worth a warning: what of its settings changes nothing, and what of its documents was left out.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let documents = self.left_out().and_then(Dropped::in_words);
        self.remarks.iter().cloned().chain(documents).collect()
    }

    /// What is told of the file behind its data, if they come from a table.
    #[must_use]
    pub fn data_note(&self) -> Option<&DataNote> {
        self.data.as_ref()
    }

    /// What the target means to whoever shows, runs and explains it.
    #[inline]
    #[must_use]
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// What the target declares about itself; in more than two dimensions, about the plane that is drawn.
    #[inline]
    #[must_use]
    pub fn info(&self) -> &TargetInfo {
        &self.info
    }

    /// Where the chains move.
    #[inline]
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Names of the coordinates that are drawn, as labels of axes, with what they stand for: β₁ (dose).
    #[must_use]
    pub fn axis_labels(&self) -> [&str; 2] {
        self.density().map_or(self.info.axes, |density| density.axis_labels())
    }

    /// The density that is drawn, on the line or in the plane; `None` where it is not known, as of the weights of a network.
    #[inline]
    #[must_use]
    pub fn density(&self) -> Option<&Arc<dyn Density>> {
        match &self.space {
            Space::Plane(density) => Some(density),
            Space::Vectors(vectors) => vectors.marginal.as_ref(),
            Space::Topics(_) => None,
        }
    }

    /// The density on which the chains move, if all of their coordinates are on the line or in the plane.
    #[inline]
    #[must_use]
    pub fn in_plane(&self) -> Option<&Arc<dyn Density>> {
        if let Space::Plane(density) = &self.space { Some(density) } else { None }
    }

    /// The model in d dimensions, of a target with more than are drawn.
    #[inline]
    #[must_use]
    pub fn in_vectors(&self) -> Option<&Vectors> {
        if let Space::Vectors(vectors) = &self.space { Some(vectors) } else { None }
    }

    /// Names of the coordinates and functions of them, of a model in d dimensions that has names.
    #[must_use]
    pub fn quantities(&self) -> Option<&dyn Quantities> {
        self.in_vectors()?.model.quantities()
    }

    /// The same with what is known of them; `None` also where nothing is.
    #[must_use]
    pub fn known_quantities(&self) -> Option<&dyn KnownQuantities> {
        self.quantities()?.known()
    }

    /// The coefficients in the units of the data file, of a model whose columns are shifted or scaled; empty of others.
    #[must_use]
    pub fn originals(&self) -> &[Combination] {
        self.in_vectors().map_or(&[], |vectors| vectors.model.originals())
    }

    /// The documents and topics, of latent Dirichlet allocation.
    #[inline]
    #[must_use]
    pub fn topics(&self) -> Option<&TopicModel> {
        if let Space::Topics(model) = &self.space { Some(model) } else { None }
    }

    /// The density of the chains' coordinates, with as many as a chain has; `None` of topics.
    #[inline]
    #[must_use]
    pub fn model(&self) -> Option<&dyn Model> {
        self.space.model()
    }

    /// The two of the chains' coordinates that are drawn and counted.
    #[inline]
    #[must_use]
    pub fn projection(&self) -> &Projection {
        self.in_vectors().map_or(&Projection::PLANE, |vectors| &vectors.projection)
    }

    /// The highest mode in the plane, or the start of chains if there is no isolated mode.
    #[must_use]
    pub fn highest_mode(&self) -> Point {
        self.density().map_or(self.info.start, |density| highest_mode(density.as_ref()))
    }

    /// The number of dimensions of the distribution: 1, 2, or more.
    #[inline]
    #[must_use]
    pub fn dimension(&self) -> usize {
        match &self.space {
            Space::Plane(_) => self.info.dimension,
            Space::Vectors(vectors) => vectors.model.dimension(),
            Space::Topics(model) => model.model.topics * model.model.words,
        }
    }

    /// Documents and words that were left out of the data, where a choice leaves out some.
    #[must_use]
    pub fn left_out(&self) -> Option<&Dropped> {
        self.topics().map(|model| &model.corpus.dropped)
    }

    /// N, the number of data behind a posterior; `None` without data.
    #[must_use]
    pub fn data_count(&self) -> Option<usize> {
        match &self.space {
            Space::Plane(density) => density.data().map(Data::len),
            Space::Vectors(vectors) => Some(vectors.model.data()).filter(|data| *data > 0),
            Space::Topics(model) => Some(model.documents()),
        }
    }

    /// The function behind the coordinates, of a posterior of its weights.
    #[must_use]
    pub fn regression(&self) -> Option<&dyn Regression> {
        if let Behind::Function(function) = &self.behind { Some(function.as_ref()) } else { None }
    }

    /// The probabilities of classes behind the coordinates, of a posterior of the weights of a network.
    #[must_use]
    pub fn classification(&self) -> Option<&dyn Classification> {
        if let Behind::Classes(classes) = &self.behind { Some(classes.as_ref()) } else { None }
    }

    /// Data to test predictions with; none unless the target has some.
    #[must_use]
    pub fn tests(&self) -> &[TestSet] {
        match &self.behind {
            Behind::Nothing => &[],
            Behind::Function(function) => function.tests(),
            Behind::Classes(classes) => classes.tests(),
        }
    }

    /// What stands behind the coordinates.
    #[inline]
    #[must_use]
    pub fn behind(&self) -> &Behind {
        &self.behind
    }

    /// The target in the coordinates of samplers; see [`Boundary`](super::Boundary).
    #[must_use]
    pub fn sampled(self: &Arc<Self>) -> Arc<Self> {
        self.in_coordinates(Coordinates::of(&self.info))
    }

    /// The target in unbounded coordinates, whatever its boundary.
    #[must_use]
    pub fn open(self: &Arc<Self>) -> Arc<Self> {
        self.in_coordinates(Coordinates::open(&self.info))
    }

    fn in_coordinates(self: &Arc<Self>, coordinates: Coordinates) -> Arc<Self> {
        let Some(density) = self.in_plane().filter(|_| !coordinates.is_identity()) else { return self.clone() };
        let plane = Self::plane(in_coordinates(density, coordinates));
        Arc::new(plane.with(self.behind.clone()).in_family(self.family).with_data(self.data.clone()))
    }
}
